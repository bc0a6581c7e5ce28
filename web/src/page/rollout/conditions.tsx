import type { Condition } from '../../api/object'
import { t } from '../../i18n'
import { Age } from '../../ui/age'
import { type State, StateMark } from '../../ui/state'
import './rollout.css'

/** Conditions lists the conditions of an object. */
export function Conditions({ all }: { all: readonly Condition[] }) {
  if (all.length === 0) return null
  return (
    <section>
      <h2>{t('rollout.conditions')}</h2>
      <ul class="conditions">
        {all.map((c) => (
          <li key={c.type}>
            <StateMark state={conditionState(c)} label={c.status} /> <b>{c.type}</b> <span class="reason">{c.reason}</span>{' '}
            <small>
              <Age since={c.lastTransitionTime} />
            </small>
            <div>{(c.message ?? '').slice(0, 2000)}</div>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** limits maps conditions that are true when something is wrong to their states. */
const limits: Readonly<Record<string, State>> = {
  ReplicaFailure: 'bad',
  ScalingLimited: 'warn',
  MemoryPressure: 'warn',
  DiskPressure: 'warn',
  PIDPressure: 'warn',
  NetworkUnavailable: 'bad',
  DisruptionTarget: 'warn',
  Failed: 'bad',
  FailureTarget: 'warn',
  Suspended: 'idle',
}

/** lacks are conditions that something is waiting for if they are not True. */
const lacks: Readonly<Record<string, State>> = { DisruptionAllowed: 'wait' }

/** conditionState returns the state of a condition: all but a few are ok when True. */
export function conditionState(c: Condition): State {
  if (c.status === 'Unknown') return 'wait'
  const limit = limits[c.type]
  if (limit) return c.status === 'True' ? limit : 'ok'
  return c.status === 'True' ? 'ok' : (lacks[c.type] ?? 'bad')
}
