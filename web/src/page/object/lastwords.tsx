import { useEffect, useState } from 'preact/hooks'
import type { Pod } from '../../api/pod'
import { readText } from '../../api/read'
import { objectPath, resources } from '../../api/resource'
import { t } from '../../i18n'
import { at } from '../../route'

/**
 * few is how many lines are read, since the last may be empty; longest is how much of one is shown.
 */
const few = 5
const longest = 600

/** lastLine returns the last line of a text that is not empty. */
export function lastLine(text: string): string {
  const lines = text.split('\n').filter((l) => l.trim() !== '')
  return (lines.at(-1) ?? '').slice(0, longest)
}

/**
 * LastWords is the last line that a container wrote before it ended. It is read again after the
 * next end.
 */
export function LastWords({ pod, container }: { pod: Pod; container: string }) {
  const [line, setLine] = useState('')
  const pods = resources.value.get('pods')
  const { namespace = '', name } = pod.metadata
  const status = [...(pod.status?.containerStatuses ?? []), ...(pod.status?.initContainerStatuses ?? [])].find((s) => s.name === container)
  const end = status?.state?.terminated?.finishedAt ?? status?.lastState?.terminated?.finishedAt
  useEffect(() => {
    setLine('')
    // A container that has never run has no log, and logs are available only for the present.
    if (!pods || end === undefined || at.value !== null) return
    const stop = new AbortController()
    const query = { container, tailLines: few, limitBytes: 64 * 1024 }
    readText(objectPath(pods, namespace, name, 'log'), { signal: stop.signal, query })
      .then((text) => stop.signal.aborted || setLine(lastLine(text)))
      .catch(() => undefined) // the sentence is shown without it
    return () => stop.abort()
  }, [pods, namespace, name, container, end, at.value])
  if (line === '') return null
  return (
    <p class="last-words">
      {t('pod.lastWords')} <code>{line}</code>
    </p>
  )
}
