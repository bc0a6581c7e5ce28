import { useEffect, useMemo, useState } from 'preact/hooks'
import { apiVersion } from '../../api/resource'
import { t } from '../../i18n'
import { announce } from '../../ui/announce'
import { tokensOf } from '../../ui/yamltokens'
import type { TabProps } from './tabprops'
import './object.css'

/** Yaml is the object as a manifest. */
export function Yaml({ resource, object }: TabProps) {
  const [text, setText] = useState('')
  useEffect(() => {
    let wanted = true
    const whole = { apiVersion: apiVersion(resource), kind: resource.kind, ...object }
    void import('../../act/draft').then(({ write }) => wanted && setText(write(whole)))
    return () => {
      wanted = false
    }
  }, [resource, object])
  const lines = useMemo(() => tokensOf(text), [text])
  const copy = async () => {
    await navigator.clipboard.writeText(text)
    announce(t('object.copied', { key: 'YAML' }))
  }
  return (
    <>
      {navigator.clipboard && (
        <p>
          <button type="button" onClick={() => void copy()}>
            {t('object.copy')}
          </button>
        </p>
      )}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: keys must be able to scroll it */}
      <pre class="yaml" tabIndex={0}>
        {lines.map((line, i) => (
          <span key={i}>
            {line.map((token, j) => (
              <span key={j} class={token.kind === '' ? '' : `yaml-${token.kind}`}>
                {token.text}
              </span>
            ))}
            {'\n'}
          </span>
        ))}
      </pre>
    </>
  )
}
