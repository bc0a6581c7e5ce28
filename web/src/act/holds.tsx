import { useMemo } from 'preact/hooks'
import type { Budget } from '../api/budget'
import { resources } from '../api/resource'
import { useObjects } from '../api/use'
import { t } from '../i18n'
import { objectHref } from '../route'
import { StateMark } from '../ui/state'
import type { DrainPod } from './drainplan'
import { type Holds, holdsOf } from './hold'

/** useHolds reads the budgets of all namespaces and applies them to some Pods. */
export function useHolds(pods: readonly DrainPod[]): Holds {
  const resource = resources.value.get('poddisruptionbudgets.policy')
  const read = useObjects<Budget>(resource ? { resource } : null)
  return useMemo(
    () =>
      holdsOf(
        pods,
        [...read.items.values()].map((b) => b.object),
      ),
    [pods, read.items, read.changed],
  )
}

/** mostPods is how many Pods are listed for a budget. */
const mostPods = 20

/**
 * HoldList lists the budgets that cover a node's Pods, with how many evictions each allows now and
 * why.
 */
export function HoldList({ holds }: { holds: Holds }) {
  if (holds.budgets.length === 0 && holds.several.length === 0) return null
  return (
    <ul class="holds">
      {holds.budgets.map(({ budget, pods, now }) => {
        const { namespace, name } = budget.metadata
        const { currentHealthy: healthy = 0, desiredHealthy: desired = 0 } = budget.status ?? {}
        return (
          <li key={budget.metadata.uid}>
            <StateMark state={now >= pods.length ? 'ok' : 'wait'} quiet />
            <div>
              <a href={objectHref('poddisruptionbudgets.policy', namespace, name)}>
                <small>PodDisruptionBudget</small> {namespace}/{name}
              </a>{' '}
              {t('drain.holds', { n: pods.length, now })} {t('drain.health', { healthy, desired })}
              <PodNames of={pods} />
            </div>
          </li>
        )
      })}
      {holds.several.length > 0 && (
        <li>
          <StateMark state="bad" quiet />
          <div>
            {t('drain.several', { n: holds.several.length })}
            <PodNames of={holds.several} />
          </div>
        </li>
      )}
    </ul>
  )
}

function PodNames({ of }: { of: readonly DrainPod[] }) {
  return (
    <div class="pod-names">
      {of.slice(0, mostPods).map(({ metadata: m }) => (
        <a key={m.uid} href={objectHref('pods', m.namespace, m.name)}>
          {m.name}
        </a>
      ))}
      {of.length > mostPods && <span>{t('drain.more', { n: of.length - mostPods })}</span>}
    </div>
  )
}
