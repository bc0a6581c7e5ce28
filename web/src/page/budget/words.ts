import type { Budget } from '../../api/budget'
import { budgetVerdict } from '../../verdict/bounds'
import type { Said } from '../set/said'

/**
 * wordsOf says what a budget allows now, and why. `raw` is the controller's own message.
 *
 * Source: kubernetes v1.36 pkg/controller/disruption/disruption.go, updatePdbStatus, failSafe
 */
export function wordsOf(b: Budget): Said & { readonly raw: string } {
  const { disruptionsAllowed: n = 0, currentHealthy: healthy = 0, desiredHealthy: desired = 0, expectedPods: expected = 0 } = b.status ?? {}
  const none = b.status?.conditions?.find((c) => c.type === 'DisruptionAllowed' && c.status === 'False')
  const { state } = budgetVerdict(b)
  if (none?.reason === 'SyncFailed') return { state, key: 'why.budgetFailed', values: {}, raw: none.message ?? '' }
  if ((b.status?.observedGeneration ?? 0) < (b.metadata.generation ?? 1)) return { state, key: 'pdb.waiting', values: {}, raw: '' }
  if (expected === 0) return { state, key: 'pdb.nobody', values: {}, raw: '' }
  const values = { n, healthy, desired, expected }
  if (n > 0) return { state, key: 'pdb.allows', values, raw: '' }
  return { state, key: healthy < desired ? 'why.budgetBroken' : 'why.budgetNone', values, raw: '' }
}

/** On is the number of a budget's Pods on a node, and how many of them may be evicted at once. */
export interface On {
  readonly node: string
  readonly pods: number
  readonly now: number
}

/**
 * nodesOf returns the nodes with Pods of a budget, with what a drain of each could evict now; those
 * with the most Pods first.
 */
export function nodesOf(pods: readonly { readonly node: string }[], allowed: number): On[] {
  const counts = new Map<string, number>()
  for (const { node } of pods) if (node !== '') counts.set(node, (counts.get(node) ?? 0) + 1)
  return [...counts]
    .map(([node, n]) => ({ node, pods: n, now: Math.min(n, Math.max(0, allowed)) }))
    .sort((a, b) => b.pods - a.pods || (a.node < b.node ? -1 : 1))
}
