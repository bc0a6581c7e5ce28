import type { Fault } from '../../act/faultrequest'
import { parseSelector, selects } from '../../api/selector'
import type { State } from '../../ui/state'
import type { About, Problem } from './problem'

/*
 * Problems that follow from another are listed below it, so that each root cause is listed once.
 */

const keyOf = (a: About): string => `${a.resource} ${a.namespace ?? ''}/${a.name}`

/** symptoms are problems of workloads that are caused by problems of their Pods. */
const symptoms = new Set<Problem['why']>(['stalled', 'setStuck', 'setBroken', 'daemonUnready'])

/** outcomes are problems of Pods that are caused by a failed node. */
const outcomes = new Set<Problem['why']>(['notReady', 'podStuck'])

const down = new Set<Problem['why']>(['nodeNotReady', 'nodeUnknown'])

/** refused are the problems of workloads whose Pods are rejected. */
const refused = new Set<Problem['why']>(['replicaFailure', 'setMissing', 'daemonMissing'])

const order: readonly State[] = ['bad', 'warn', 'wait']

const worse = (a: State, b: State): State => (order.indexOf(b) >= 0 && order.indexOf(b) < order.indexOf(a) ? b : a)

type Cause = (p: Problem) => Problem | undefined

/** ofNodes finds the failed node that causes a Pod's problem. */
function ofNodes(all: readonly Problem[]): Cause {
  const nodes = new Map(all.filter((p) => down.has(p.why)).map((p) => [p.about.name, p]))
  return (p) => (outcomes.has(p.why) && p.nodes?.every((n) => nodes.has(n)) ? nodes.get(p.nodes[0] ?? '') : undefined)
}

/** ofPods finds the Pods whose problem causes a workload's. */
function ofPods(all: readonly Problem[]): Cause {
  const byOwner = new Map<string, Problem>()
  for (const p of all) {
    if (p.owner && p.about.resource === 'pods' && !byOwner.has(keyOf(p.owner))) byOwner.set(keyOf(p.owner), p)
  }
  return (p) => (symptoms.has(p.why) ? byOwner.get(keyOf(p.about)) : undefined)
}

/**
 * ofBudgets finds the Pods that a budget lacks: those with problems and those that cannot be
 * created.
 */
function ofBudgets(all: readonly Problem[]): Cause {
  const withPods = all.filter((p) => p.pods)
  return (p) => {
    const { covers, about } = p
    if (!covers) return undefined
    return withPods.find((c) => c.about.namespace === about.namespace && selects(covers, c.pods?.labels))
  }
}

/**
 * ofQuotas finds the exhausted quota that a refusal names.
 *
 * Source: kubernetes v1.36 staging/src/k8s.io/apiserver/pkg/admission/plugin/resourcequota/controller.go, CheckRequest
 */
function ofQuotas(all: readonly Problem[]): Cause {
  const quotas = new Map(all.filter((p) => p.why === 'quotaFull').map((p) => [`${p.about.namespace}/${p.about.name}`, p]))
  return (p) => {
    const name = refused.has(p.why) ? /exceeded quota: ([^,\s]+)/.exec(p.message)?.[1] : undefined
    return name === undefined ? undefined : quotas.get(`${p.about.namespace}/${name}`)
  }
}

/** actions maps the actions of Pod faults to the problems that they cause. */
const actions: Readonly<Record<string, readonly Problem['why'][]>> = {
  crashloop: ['crash', 'memory', 'podFailed'],
  exit: ['crash', 'podFailed'],
  oom: ['memory', 'crash', 'podFailed'],
  unready: ['notReady'],
  stuck: ['podStuck'],
  evict: ['evicted'],
}

/** like reports whether a text matches a pattern, in which * matches any text. */
function like(pattern: string, text: string): boolean {
  const [first = '', ...rest] = pattern.split('*')
  const last = rest.pop()
  if (last === undefined) return text === first
  if (!text.startsWith(first)) return false
  let at = first.length
  for (const part of rest) {
    const found = text.indexOf(part, at)
    if (found < 0) return false
    at = found + part.length
  }
  return text.length >= at + last.length && text.endsWith(last)
}

/** isAbout reports whether a fault is about an image, with or without its tag. */
function isAbout(pattern: string, image: string): boolean {
  return like(pattern, image) || like(pattern, image.replace(/@.*$/, '').replace(/:[^:/]*$/, ''))
}

/** brings reports whether an injected fault causes a problem. */
function brings({ pod, node, image }: Fault, p: Problem): boolean {
  if (node) return down.has(p.why) && p.about.name === node.name
  if (image) return p.why === 'pull' && (p.pods?.images.some((i) => isAbout(image.image, i)) ?? false)
  if (!pod || !p.pods || p.about.namespace !== (pod.namespace ?? 'default') || !actions[pod.action]?.includes(p.why)) return false
  if (pod.name) return p.pods.one === pod.name
  const selector = parseSelector(pod.selector ?? '')
  return selector !== undefined && selects(selector, p.pods.labels)
}

/**
 * ofFaults finds the injected fault that causes a problem, and returns it as a problem of its own.
 */
function ofFaults(faults: readonly Fault[]): Cause {
  const made = new Map<string, Problem>()
  return (p) => {
    const fault = faults.find((f) => brings(f, p))
    if (!fault) return undefined
    const found = made.get(fault.name) ?? faultProblem(fault)
    made.set(fault.name, found)
    return found
  }
}

const faultProblem = (f: Fault): Problem => ({
  id: `fault/${f.name}`,
  state: 'wait',
  why: 'fault',
  reason: '',
  message: '',
  about: { resource: 'faults', kind: 'Fault', namespace: undefined, name: f.name },
  since: Date.parse(f.created),
  count: 1,
  fault: f,
})

/** deepest bounds the length of a chain of causes. */
const deepest = 8

/**
 * folded assigns each problem to its root cause: symptoms of workloads to their Pods, Pods on a
 * failed node to the node, budgets to the Pods that they lack, rejected Pods to the quota, and all
 * of these to an injected fault. If the start of a cause is unknown, its first effect determines
 * it.
 */
export function folded(all: readonly Problem[], faults: readonly Fault[] = []): Problem[] {
  const causes = [ofFaults(faults), ofNodes(all), ofPods(all), ofQuotas(all), ofBudgets(all)]
  const causeOf: Cause = (p) => {
    for (const cause of causes) {
      const found = cause(p)
      if (found && found !== p) return found
    }
    return undefined
  }
  const effects = new Map<string, Problem[]>()
  const roots = new Map<string, Problem>()
  for (const p of all) {
    let root = p
    for (let depth = 0; depth < deepest; depth++) {
      const cause = causeOf(root)
      if (!cause) break
      root = cause
    }
    roots.set(root.id, root)
    if (root.id !== p.id) effects.set(root.id, [...(effects.get(root.id) ?? []), p])
  }
  return [...roots.values()].map((p) => {
    const mine = effects.get(p.id)
    if (!mine) return p
    const since = p.since ?? mine.reduce<number | null>((s, e) => (e.since === null ? s : Math.min(s ?? e.since, e.since)), null)
    return { ...p, effects: mine, since, state: mine.reduce((s, e) => worse(s, e.state), p.state) }
  })
}

/** isRollout reports whether a problem blocks a rollout, so that rolling back is a remedy. */
export const isRollout = (p: Problem): boolean => p.fresh !== undefined || (p.effects ?? []).some((e) => e.why === 'stalled')
