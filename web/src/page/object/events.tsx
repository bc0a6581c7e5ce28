import { useMemo } from 'preact/hooks'
import { resources } from '../../api/resource'
import { useObjects } from '../../api/use'
import { formatNumber, t } from '../../i18n'
import { Age } from '../../ui/age'
import { StateMark } from '../../ui/state'
import { Trouble } from '../../ui/trouble'
import { type Event, occurrencesOf } from './occurrences'
import { Part } from './parts'
import type { TabProps } from './tabprops'

/** most is how many Events are shown; the table has all. */
const most = 30

/**
 * Occurrences are the Events of an object, newest first. Events of cluster-scoped objects may be in
 * any namespace.
 */
export function Occurrences({ resource, object }: TabProps) {
  const events = resources.value.get('events')
  const { name, namespace } = object.metadata
  const fields = `involvedObject.kind=${resource.kind},involvedObject.name=${name}`
  const read = useObjects<Event>(events ? { resource: events, fields, ...(namespace ? { namespace } : {}) } : null)
  const uid = object.metadata.uid
  const all = useMemo(
    () => occurrencesOf([...read.items.values()].map((w) => w.object).filter((e) => of(e, uid, resource.kind))),
    [read.items, read.changed],
  )
  const there = read.phase === 'live' || read.phase === 'past'
  if (!events) return null
  return (
    <Part title={t('tab.events')} wide>
      {!there && all.length === 0 && <Trouble of={read} />}
      {there && all.length === 0 && <p class="faint">{t('object.noEvents')}</p>}
      <ul class="occurrences">
        {all.slice(0, most).map((o) => (
          <li key={o.id}>
            <StateMark state={o.warning ? 'warn' : 'ok'} label={o.warning ? 'Warning' : 'Normal'} />
            <div>
              <b>{o.reason}</b> {o.count > 1 && <span class="badge">×{formatNumber(o.count)}</span>} <span class="faint">{o.source}</span>
              <p>{o.message.slice(0, 2000)}</p>
            </div>
            <span class="faint when">
              <Age since={o.last > 0 ? new Date(o.last).toISOString() : undefined} />
              {o.count > 1 && o.first > 0 && (
                <>
                  {' · '}
                  {t('object.since')} <Age since={new Date(o.first).toISOString()} />
                </>
              )}
            </span>
          </li>
        ))}
      </ul>
      {all.length > most && <p class="faint">{t('overview.more', { n: all.length - most })}</p>}
    </Part>
  )
}

/**
 * of reports whether an Event is about this object rather than another with its name. The kubelet
 * identifies its Node only by name.
 */
function of(e: Event, uid: string, kind: string): boolean {
  const about = (e.involvedObject as { uid?: string } | undefined)?.uid
  return kind === 'Node' || about === undefined || about === '' || about === uid
}
