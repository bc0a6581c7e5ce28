import type { State } from '../../ui/state'
import type { About, Problem } from './problem'

/*
 * Problems that follow from another are told with it, so that each root cause stands in the list once.
 */

const keyOf = (a: About): string => `${a.resource} ${a.namespace ?? ''}/${a.name}`

/** symptoms are the problems of workloads that follow from what is wrong with their Pods. */
const symptoms = new Set<Problem['why']>(['stalled', 'setStuck', 'setBroken', 'daemonUnready'])

/** outcomes are the problems of Pods that follow from their node being down. */
const outcomes = new Set<Problem['why']>(['notReady', 'podStuck'])

const down = new Set<Problem['why']>(['nodeNotReady', 'nodeUnknown'])

const order: readonly State[] = ['bad', 'warn', 'wait']

const worse = (a: State, b: State): State => (order.indexOf(b) >= 0 && order.indexOf(b) < order.indexOf(a) ? b : a)

/** folded puts symptoms of workloads to the Pods that cause them, and Pods that are gone with their node to the node. */
export function folded(all: readonly Problem[]): Problem[] {
  const nodes = new Map(all.filter((p) => down.has(p.why)).map((p) => [p.about.name, p]))
  const causeOf = (p: Problem): Problem | undefined =>
    outcomes.has(p.why) && p.nodes?.every((n) => nodes.has(n)) ? nodes.get(p.nodes[0] ?? '') : undefined
  const byOwner = new Map<string, Problem>()
  for (const p of all) {
    if (p.owner && p.about.resource === 'pods' && !byOwner.has(keyOf(p.owner))) byOwner.set(keyOf(p.owner), causeOf(p) ?? p)
  }
  const effects = new Map<string, Problem[]>()
  const out: Problem[] = []
  for (const p of all) {
    const cause = causeOf(p) ?? (symptoms.has(p.why) ? byOwner.get(keyOf(p.about)) : undefined)
    if (!cause) out.push(p)
    else effects.set(cause.id, [...(effects.get(cause.id) ?? []), p])
  }
  return out.map((p) => {
    const mine = effects.get(p.id)
    return mine ? { ...p, effects: mine, state: mine.reduce((s, e) => worse(s, e.state), p.state) } : p
  })
}

/** isRollout says whether a problem holds up a rollout, so that rolling back is a remedy. */
export const isRollout = (p: Problem): boolean => p.fresh !== undefined || (p.effects ?? []).some((e) => e.why === 'stalled')
