import { useState } from 'preact/hooks'
import type { KubeObject } from '../../api/object'
import { formatNumber, t } from '../../i18n'
import { announce } from '../../ui/announce'
import { type Datum, dataOf } from './data'
import { Facts, Part } from './parts'
import type { TabProps } from './tabprops'

/** ConfigMapView shows the data of a ConfigMap. */
export function ConfigMapView({ object }: TabProps) {
  return (
    <Part title={t('object.data')} wide>
      <Data all={dataOf(object, 'ConfigMap')} hidden={false} />
      {object.immutable === true && <p class="faint">immutable</p>}
    </Part>
  )
}

/** SecretView lists the keys of a Secret. Values are shown on request, and hidden again when the user leaves the page. */
export function SecretView({ object }: TabProps) {
  return (
    <>
      <Part title={t('object.data')} wide>
        <Data all={dataOf(object, 'Secret')} hidden />
      </Part>
      <Part title="Secret">
        <Facts
          of={[
            [t('object.type'), (object as KubeObject & { type?: string }).type],
            ['immutable', object.immutable === true && 'true'],
          ]}
        />
      </Part>
    </>
  )
}

/**
 * longest is how much of a value is shown at first, in characters; most is how many keys are shown.
 */
const longest = 4000
const most = 500

function Data({ all, hidden }: { all: readonly Datum[]; hidden: boolean }) {
  if (all.length === 0) return <p class="faint">{t('object.noData')}</p>
  return (
    <ul class="data">
      {all.slice(0, most).map((d) => (
        <Value key={d.key} of={d} hidden={hidden} />
      ))}
      {all.length > most && <li class="faint">{t('overview.more', { n: all.length - most })}</li>}
    </ul>
  )
}

function Value({ of: d, hidden }: { of: Datum; hidden: boolean }) {
  const [open, setOpen] = useState(!hidden)
  const [whole, setWhole] = useState(false)
  const text = d.text ?? d.base64
  const cut = !whole && text.length > longest
  const copy = async () => {
    await navigator.clipboard.writeText(text)
    announce(t('object.copied', { key: d.key }))
  }
  return (
    <li>
      <p class="datum">
        <b>{d.key}</b>
        <span class="faint">{t('object.bytes', { n: d.bytes })}</span>
        {d.text === null && <span class="badge">base64</span>}
        {hidden && (
          <button
            type="button"
            aria-pressed={open}
            aria-label={`${t(open ? 'object.hide' : 'object.show')}: ${d.key}`}
            onClick={() => setOpen(!open)}
          >
            {t(open ? 'object.hide' : 'object.show')}
          </button>
        )}
        {navigator.clipboard && (
          <button type="button" aria-label={`${t('object.copy')}: ${d.key}`} onClick={() => void copy()}>
            {t('object.copy')}
          </button>
        )}
      </p>
      {open && text !== '' && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: keys must be able to scroll it
        <pre tabIndex={0}>{cut ? `${text.slice(0, longest)}…` : text}</pre>
      )}
      {open && cut && (
        <button type="button" onClick={() => setWhole(true)}>
          {t('object.showAll', { n: formatNumber(text.length) })}
        </button>
      )}
    </li>
  )
}
