import { useEffect, useState } from 'preact/hooks'
import { apiVersion } from '../../api/resource'
import type { TabProps } from './tabprops'

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
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached with the keyboard
    <pre class="yaml" tabIndex={0}>
      {text}
    </pre>
  )
}
