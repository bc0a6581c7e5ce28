import { useRef } from 'preact/hooks'
import { formatClock, formatTime, t } from '../../i18n'
import { route, setQuery } from '../../route'
import { shortPath } from '../../time/diff'
import type { Change, Scope } from '../../time/log'
import { history } from '../../time/now'
import { StateMark } from '../../ui/state'
import { Unread } from '../../ui/unread'
import { ChangeDetail } from './detail'
import { useChanges, useSummary } from './use'
import { verbState, whoOf } from './words'
import './changes.css'

/** Changes lists the changes of a scope, newest first, and shows the one in the address. */
export function Changes({ scope, upTo, hide }: { scope: Scope; upTo: number | null; hide?: (c: Change) => boolean }) {
  const { list, more } = useChanges(scope, upTo)
  const open = Number(route.value.query.change) || null
  const shown = hide ? list.items.filter((c) => !hide(c)) : list.items
  return (
    <div class={open === null ? 'changes' : 'changes opened'}>
      <div class="changes-list">
        <Unread error={list.error} />
        <ul class={scope.uid === undefined ? '' : 'of-one'}>
          {shown.map((c) => (
            <Line key={c.revision} c={c} one={scope.uid !== undefined} open={c.revision === open} />
          ))}
        </ul>
        {list.loading && <p class="faint">{t('load.loading')}</p>}
        {!list.loading && shown.length === 0 && list.next === undefined && !list.error && <None upTo={upTo} />}
        {!list.loading && list.next !== undefined && (
          <button type="button" onClick={more}>
            {t('changes.older')}
          </button>
        )}
        {!list.loading && shown.length > 0 && list.next === undefined && <p class="faint">{t('changes.end')}</p>}
      </div>
      {open !== null && <ChangeDetail revision={open} />}
    </div>
  )
}

/** None says that there are no changes up to a revision, or that they have been compacted. */
function None({ upTo }: { upTo: number | null }) {
  const h = history.value
  if (upTo === null || h === null || upTo >= h.oldest.revision) return <p class="faint">{t('changes.none')}</p>
  return (
    <p class="notice warn" role="alert">
      {t('time.expiredShort')}
    </p>
  )
}

/**
 * Line is one change. If `one` is set, all changes are of one object, and the line omits its name.
 */
function Line({ c, one, open }: { c: Change; one: boolean; open: boolean }) {
  const ref = useRef<HTMLLIElement>(null)
  const summary = useSummary(c.revision, ref)
  const at = new Date(c.at)
  const time = formatClock(at)
  return (
    <li ref={ref}>
      <button
        type="button"
        class="change-line"
        aria-current={open ? 'true' : undefined}
        onClick={() => setQuery({ change: open ? '' : String(c.revision) }, false)}
      >
        <time dateTime={c.at} title={`${formatTime(at)} · ${t('time.revision', { revision: c.revision })}`}>
          {time}
        </time>
        <StateMark state={verbState[c.verb]} quiet />
        <span class="change-object">
          {one ? (
            <b>{t(`changes.${c.verb}`)}</b>
          ) : (
            <>
              <b>{c.kind}</b> {c.name} <span class="faint">{t(`changes.${c.verb}`)}</span>
            </>
          )}
        </span>
        <span class="change-fields">
          {summary && summary.paths.length > 0 && (
            <>
              {summary.paths.map(shortPath).join(', ')} {summary.more > 0 && t('changes.more', { n: summary.more })}
            </>
          )}
        </span>
        <span class="change-who">{whoOf(c.writer) || t('changes.anybody')}</span>
      </button>
    </li>
  )
}
