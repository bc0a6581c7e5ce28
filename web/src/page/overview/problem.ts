import type { Fault } from '../../act/faultrequest'
import type { Condition, KubeObject } from '../../api/object'
import type { Selector } from '../../api/selector'
import type { ReplicaSet } from '../../api/workload'
import type { Key } from '../../i18n'
import type { State } from '../../ui/state'

/** Why is the plain word for what is wrong: the end of a message's key. */
export type Why = Key extends infer K ? (K extends `why.${infer W}` ? W : never) : never

/** About is the object that a problem is with. */
export interface About {
  readonly resource: string
  readonly kind: string
  readonly namespace: string | undefined
  readonly name: string
}

/**
 * Problem is something that a person should know of. `reason` and `message` are as the cluster says them. Where many objects of one owner
 * are in the same trouble they are one problem, with `count`, and `about` is one of them.
 */
export interface Problem {
  readonly id: string
  readonly state: State
  readonly why: Why
  readonly values?: Readonly<Record<string, string | number>>
  readonly reason: string
  readonly message: string
  readonly about: About
  /** When it began with the first of them, in milliseconds; null if that is unknown. */
  readonly since: number | null
  readonly count: number
  /** The workload that they belong to: the Deployment rather than its ReplicaSet. */
  readonly owner?: About
  /** The label selector that finds them all. */
  readonly labels?: string
  /** The nodes of the Pods; '' for those that have none. */
  readonly nodes?: readonly string[]
  /** Where only Pods of a Deployment's newest revision are in trouble: how many of the older ones are ready. */
  readonly fresh?: { readonly serving: number }
  /** The revision that the Deployment can be rolled back to. */
  readonly previous?: ReplicaSet
  /** Whose Pods it is with: their labels and images. `one` is the name of the Pod where it is with one alone. */
  readonly pods?: { readonly labels: Readonly<Record<string, string>>; readonly images: readonly string[]; readonly one?: string }
  /** The Pods of a budget that they are too few of. */
  readonly covers?: Selector
  /** The fault on purpose that it is. */
  readonly fault?: Fault
  /** Problems that follow from it, which are not listed on their own. */
  readonly effects?: readonly Problem[]
}

/** timeOf parses a time of an object, in milliseconds; null if there is none. */
export function timeOf(text: string | undefined): number | null {
  const ms = Date.parse(text ?? '')
  return Number.isNaN(ms) ? null : ms
}

/** ordered sorts the newest first, and those of unknown time last. */
export function ordered(all: readonly Problem[]): Problem[] {
  return [...all].sort((a, b) => (b.since ?? 0) - (a.since ?? 0) || (a.id < b.id ? -1 : 1))
}

/** about names an object. */
export function about(resource: string, kind: string, o: KubeObject): About {
  return { resource, kind, namespace: o.metadata.namespace, name: o.metadata.name }
}

/** problem is one with an object, in the words of one of its conditions. */
export function problem(a: About, o: KubeObject, state: State, why: Why, c: Partial<Condition>, values?: Problem['values']): Problem {
  return {
    id: `${o.metadata.uid}/${why}`,
    state,
    why,
    ...(values ? { values } : {}),
    reason: c.reason ?? '',
    message: c.message ?? '',
    about: a,
    since: timeOf(c.lastTransitionTime),
    count: 1,
  }
}
