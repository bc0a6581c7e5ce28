import { useEffect, useState } from 'preact/hooks'
import type { Resource } from '../../api/resource'
import { formatTime, t } from '../../i18n'
import { setQuery } from '../../route'
import { type Change, lastChange, readChanges } from '../../time/log'
import { epoch } from '../../time/now'
import { momentHref } from '../changes/links'
import { Changes } from '../changes/table'
import { whoOf } from '../changes/words'
import './object.css'

export interface GoneProps {
  readonly resource: Resource
  readonly namespace: string
  readonly name: string
}

/**
 * Gone is the page of an object that does not exist: if the log has it, when and by whom it was
 * deleted, and its last state.
 */
export function Gone({ resource, namespace, name }: GoneProps) {
  const [last, setLast] = useState<Change | null>()
  useEffect(() => {
    const stop = new AbortController()
    const scope = { resource: resource.id, name, ...(namespace === '' ? {} : { namespace }) }
    readChanges(scope, { newest: true, limit: 1 }, stop.signal)
      .then((page) => page.items[0] ?? (page.next === undefined ? undefined : lastChange(scope, page.next, stop.signal)))
      .then(
        (c) => stop.signal.aborted || setLast(c ?? null),
        () => stop.signal.aborted || setLast(null), // unknown to the log: show nothing
      )
    return () => stop.abort()
  }, [resource, namespace, name, epoch.value])
  if (last === undefined) return <p class="notice">{t('load.loading')}</p>
  if (last === null) return <p class="notice">{t('load.missing')}</p>
  const who = whoOf(last.writer) || t('changes.anybody')
  return (
    <>
      {last.verb === 'deleted' && (
        <div class="matter gone" role="status">
          <p>{t('gone.deleted', { time: formatTime(new Date(last.at)), who })}</p>
          <p class="ways">
            <a href={momentHref(last)}>{t('gone.last')}</a>
            <button type="button" onClick={() => setQuery({ change: String(last.revision) }, false)}>
              {t('changes.why')}
            </button>
          </p>
        </div>
      )}
      <h2>{t('changes.tab')}</h2>
      <Changes scope={{ resource: resource.id, uid: last.uid }} upTo={null} />
    </>
  )
}
