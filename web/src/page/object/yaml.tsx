import { useEffect, useState } from 'preact/hooks'
import type { TabProps } from './tabs'

/** Yaml is the object as a manifest. */
export function Yaml({ object }: TabProps) {
  const [text, setText] = useState('')
  useEffect(() => {
    let wanted = true
    void import('yaml').then(({ stringify }) => wanted && setText(stringify(object, { lineWidth: 0 })))
    return () => {
      wanted = false
    }
  }, [object])
  return <pre class="yaml">{text}</pre>
}
