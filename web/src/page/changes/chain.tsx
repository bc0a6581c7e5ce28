import { useEffect, useState } from 'preact/hooks'
import { formatTime, t } from '../../i18n'
import { setQuery } from '../../route'
import { type Causes, readCauses } from '../../time/log'
import { learn } from '../../time/now'
import { unreadOf } from '../../ui/unread'
import { changeHref, momentHref } from './links'
import { whoOf } from './words'

/** Chain shows how a change came about, from the original request. */
export function Chain({ revision }: { revision: number }) {
  const [causes, setCauses] = useState<{ of: number; causes: Causes }>()
  const [error, setError] = useState('')
  useEffect(() => {
    const stop = new AbortController()
    setError('')
    readCauses(revision, stop.signal).then(
      (c) => {
        learn(c.items)
        setCauses({ of: revision, causes: c })
      },
      (e: unknown) => stop.signal.aborted || setError(unreadOf(e)),
    )
    return () => stop.abort()
  }, [revision])
  if (error !== '') return <p class="notice warn">{error}</p>
  if (causes?.of !== revision) return <p class="faint">{t('load.loading')}</p>
  const { items, complete, reason } = causes.causes
  const chain = [...items].reverse()
  const first = chain[0]
  const asked = first !== undefined && !first.writer.controller
  return (
    <ol class="chain">
      <li class="chain-begin">
        {!complete && t('changes.chainCut', { reason: reason ?? '' })}
        {complete && first && (asked ? t('changes.request', { who: whoOf(first.writer) || t('changes.anybody') }) : t('changes.begunTime'))}
      </li>
      {chain.map((c) => (
        <li key={c.revision} aria-current={c.revision === revision ? 'true' : undefined}>
          <a href={changeHref(c.revision)} onClick={(e) => inPlace(e, c.revision)}>
            <b>{c.kind}</b> {c.name} <span>{t(`changes.${c.verb}`)}</span>
          </a>
          <small>
            {c.writer.controller && `${t('changes.by', { who: c.writer.controller })} · `}
            {formatTime(new Date(c.at))} · <a href={momentHref(c)}>{t('changes.show')}</a>
          </small>
        </li>
      ))}
    </ol>
  )
}

/** inPlace opens another change in place of this one, also in a tab of an object. */
function inPlace(e: MouseEvent, revision: number): void {
  if (e.button !== 0 || e.metaKey || e.ctrlKey || e.shiftKey || e.altKey) return
  e.preventDefault()
  setQuery({ change: String(revision) }, false)
}
