import { t } from '../../i18n'
import { tableHref } from '../../route'
import { Age } from '../../ui/age'
import { StateMark } from '../../ui/state'
import { plainMessage } from '../object/occurrences'
import { Involved } from '../table/cells'
import { Panel } from './counts'
import type { Happening } from './events'

/**
 * Happenings shows the newest warning Events. It says that there are none only after all have been
 * read.
 */
export function Happenings({ all, ns, complete }: { all: readonly Happening[]; ns: string; complete: boolean }) {
  return (
    <Panel id="events" title={t('overview.warnings')}>
      {all.length === 0 && complete && <p class="faint">{t('overview.noWarnings')}</p>}
      <ul class="happenings">
        {all.map((h) => (
          <li key={h.uid}>
            <StateMark state={h.warning ? 'warn' : 'ok'} quiet />
            <div>
              <Involved text={h.object} namespace={h.namespace} /> <code>{h.reason}</code>
              <p class="message">{plainMessage(h.message)}</p>
            </div>
            <Age since={new Date(h.seen).toISOString()} />
          </li>
        ))}
      </ul>
      <p class="more">
        <a href={tableHref('events', { ns, f: 'type=Warning' })}>{t('overview.allWarnings')}</a>
        <a href={tableHref('events', { ns })}>{t('overview.allEvents')}</a>
      </p>
    </Panel>
  )
}
