import { type Budget, covers } from '../api/budget'
import type { Condition } from '../api/object'
import type { DrainPod } from './drainplan'

/**
 * Hold is a budget with the Pods of a node that it covers, and how many of them may be evicted now.
 */
export interface Hold {
  readonly budget: Budget
  readonly pods: readonly DrainPod[]
  /** How many of them may be evicted now, according to the budget's status. */
  readonly now: number
}

/** Holds is what blocks a drain. */
export interface Holds {
  /** The budgets that block the most Pods come first. */
  readonly budgets: readonly Hold[]
  /** Pods covered by several budgets, which cannot be evicted at all. */
  readonly several: readonly DrainPod[]
  /** How many Pods cannot be evicted now. */
  readonly held: number
}

interface Judged extends DrainPod {
  readonly status?: { readonly phase?: string; readonly conditions?: readonly Condition[] }
}

/**
 * counts reports whether an eviction of a Pod is checked against its budget. Pods that have not
 * started or have ended are not.
 */
const counts = (pod: DrainPod): boolean =>
  pod.metadata.deletionTimestamp === undefined && !['Pending', 'Succeeded', 'Failed'].includes(pod.status?.phase ?? '')

/**
 * spared reports whether a budget lets a Pod go without counting it: it is not ready, and the
 * policy or the number of healthy Pods permits it.
 */
function spared(pod: Judged, b: Budget): boolean {
  if (pod.status?.conditions?.some((c) => c.type === 'Ready' && c.status === 'True')) return false
  const { currentHealthy = 0, desiredHealthy = 0 } = b.status ?? {}
  return b.spec?.unhealthyPodEvictionPolicy === 'AlwaysAllow' || (desiredHealthy > 0 && currentHealthy >= desiredHealthy)
}

/**
 * holdsOf returns the budgets that block evictions. It reads their status; only the server decides
 * whether an eviction is accepted.
 *
 * Source: kubernetes v1.36 pkg/registry/core/pod/storage/eviction.go, EvictionREST.Create,
 * canIgnorePDB
 */
export function holdsOf(pods: readonly DrainPod[], budgets: readonly Budget[]): Holds {
  const found = new Map<Budget, DrainPod[]>()
  const several: DrainPod[] = []
  for (const pod of pods) {
    if (!counts(pod)) continue
    const mine = budgets.filter((b) => b.metadata.namespace === pod.metadata.namespace && covers(b, pod.metadata.labels))
    const [one] = mine
    if (mine.length > 1) several.push(pod)
    else if (one && !spared(pod, one)) found.set(one, [...(found.get(one) ?? []), pod])
  }
  const holds = [...found].map(([budget, of]): Hold => {
    const observed = (budget.status?.observedGeneration ?? 0) >= (budget.metadata.generation ?? 0)
    return { budget, pods: of, now: observed ? Math.max(0, Math.min(of.length, budget.status?.disruptionsAllowed ?? 0)) : 0 }
  })
  const waiting = (h: Hold) => h.pods.length - h.now
  const key = ({ budget: { metadata: m } }: Hold) => `${m.namespace}/${m.name}`
  holds.sort((a, b) => waiting(b) - waiting(a) || (key(a) < key(b) ? -1 : 1))
  return { budgets: holds, several, held: several.length + holds.reduce((sum, h) => sum + waiting(h), 0) }
}
