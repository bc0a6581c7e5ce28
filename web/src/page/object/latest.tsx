import { useRef } from 'preact/hooks'
import { t } from '../../i18n'
import { at, href } from '../../route'
import type { Change } from '../../time/log'
import { Age } from '../../ui/age'
import { StateMark } from '../../ui/state'
import { Unread } from '../../ui/unread'
import { useChanges, useSummary } from '../changes/use'
import { verbState, whoOf } from '../changes/words'
import { Part } from './parts'
import type { TabProps } from './tabprops'

/** most is how many changes are shown; the tab has all. */
const most = 6

/**
 * Latest shows the latest changes of an object and their authors. Each links to the change and its
 * cause.
 */
export function Latest({ resource, object }: TabProps) {
  const { list } = useChanges({ resource: resource.id, uid: object.metadata.uid }, at.value)
  const { namespace = '', name } = object.metadata
  const to = (query: Readonly<Record<string, string>>) =>
    href({ page: 'object', resource: resource.id, namespace, name, tab: 'history', query })
  return (
    <Part title={t('changes.tab')} wide>
      <Unread error={list.error} />
      <ul class="latest">
        {list.items.slice(0, most).map((c) => (
          <Line key={c.revision} of={c} to={to({ change: String(c.revision) })} />
        ))}
      </ul>
      {!list.loading && list.items.length === 0 && !list.error && <p class="faint">{t('changes.none')}</p>}
      {(list.items.length > most || list.next !== undefined) && <a href={to({})}>{t('object.allChanges')}</a>}
    </Part>
  )
}

function Line({ of: c, to }: { of: Change; to: string }) {
  const ref = useRef<HTMLLIElement>(null)
  const summary = useSummary(c.revision, ref)
  return (
    <li ref={ref}>
      <StateMark state={verbState[c.verb]} quiet />
      <a href={to}>{t(`changes.${c.verb}`)}</a>
      <span class="faint what">{summary?.paths.join(', ')}</span>
      <span>{whoOf(c.writer) || t('changes.anybody')}</span>
      <span class="faint when">
        <Age since={c.at} />
      </span>
    </li>
  )
}
