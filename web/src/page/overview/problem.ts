import type { Fault } from '../../act/faultrequest'
import type { Condition, KubeObject } from '../../api/object'
import type { Selector } from '../../api/selector'
import type { ReplicaSet } from '../../api/workload'
import type { Key } from '../../i18n'
import type { State } from '../../ui/state'

/** Why is the kind of a problem: the end of a message's key. */
export type Why = Key extends infer K ? (K extends `why.${infer W}` ? W : never) : never

/** About is the object that has a problem. */
export interface About {
  readonly resource: string
  readonly kind: string
  readonly namespace: string | undefined
  readonly name: string
}

/**
 * Problem is something that needs attention. `reason` and `message` are the cluster's own words.
 * Several objects of one owner with the same problem are one Problem with `count`; `about` is one
 * of them.
 */
export interface Problem {
  readonly id: string
  readonly state: State
  readonly why: Why
  readonly values?: Readonly<Record<string, string | number>>
  readonly reason: string
  readonly message: string
  readonly about: About
  /** When the first of them began, in milliseconds; null if unknown. */
  readonly since: number | null
  readonly count: number
  /** The workload that they belong to: the Deployment rather than its ReplicaSet. */
  readonly owner?: About
  /** A label selector for all of them. */
  readonly labels?: string
  /** The nodes of the Pods; '' for Pods without one. */
  readonly nodes?: readonly string[]
  /**
   * If only Pods of a Deployment's newest revision have the problem: how many older ones are ready.
   */
  readonly fresh?: { readonly serving: number }
  /** The revision that the Deployment can be rolled back to. */
  readonly previous?: ReplicaSet
  /**
   * The labels and images of the affected Pods. `one` is the name of the Pod if there is only one.
   */
  readonly pods?: { readonly labels: Readonly<Record<string, string>>; readonly images: readonly string[]; readonly one?: string }
  /** The selector of a budget with too few healthy Pods. */
  readonly covers?: Selector
  /** The injected fault, if the problem is one. */
  readonly fault?: Fault
  /** Problems that follow from it, which are not listed on their own. */
  readonly effects?: readonly Problem[]
}

/** timeOf parses a time of an object, in milliseconds; null if there is none. */
export function timeOf(text: string | undefined): number | null {
  const ms = Date.parse(text ?? '')
  return Number.isNaN(ms) ? null : ms
}

/** ordered sorts problems, newest first; those of unknown time last. */
export function ordered(all: readonly Problem[]): Problem[] {
  return [...all].sort((a, b) => (b.since ?? 0) - (a.since ?? 0) || (a.id < b.id ? -1 : 1))
}

/** about names an object. */
export function about(resource: string, kind: string, o: KubeObject): About {
  return { resource, kind, namespace: o.metadata.namespace, name: o.metadata.name }
}

/** problem is a problem of an object, in the words of one of its conditions. */
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
