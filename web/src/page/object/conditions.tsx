import type { Condition } from '../../api/object'
import { t } from '../../i18n'
import { Age } from '../../ui/age'
import { StateMark } from '../../ui/state'
import { conditionState } from '../rollout/conditions'

/** most is how many conditions are shown. */
const most = 40

/** ConditionStrip shows conditions side by side; bad ones with reason and message. */
export function ConditionStrip({ all }: { all: readonly Condition[] }) {
  const shown = all.filter((c) => typeof c?.type === 'string').slice(0, most)
  if (shown.length === 0) return null
  return (
    <section class="strip" aria-label={t('rollout.conditions')}>
      <ul>
        {shown.map((c) => {
          const state = conditionState(c)
          const well = state === 'ok'
          return (
            <li key={c.type} class={well ? '' : 'told'} title={`${c.reason ?? ''} ${c.message ?? ''}`.trim()}>
              <StateMark state={state} label={c.status} /> <b>{c.type}</b>{' '}
              <small>
                <Age since={c.lastTransitionTime} />
              </small>
              {!well && (
                <p>
                  {c.reason && <code>{c.reason}</code>} {(c.message ?? '').slice(0, 500)}
                </p>
              )}
            </li>
          )
        })}
      </ul>
    </section>
  )
}
