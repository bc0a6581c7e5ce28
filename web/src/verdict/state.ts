import type { Autoscaler } from '../api/autoscaler'
import type { Budget } from '../api/budget'
import type { KubeObject, Meta } from '../api/object'
import type { DaemonSet, StatefulSet } from '../api/sets'
import type { State } from '../ui/state'
import { autoscalerVerdict, budgetVerdict } from './bounds'
import { cronJobVerdict, jobVerdict } from './job'
import { nodeVerdict } from './node'
import { phaseState } from './phase'
import { podState } from './pod'
import { daemonSetVerdict, statefulSetVerdict } from './sets'
import type { Verdict } from './verdict'
import { deploymentVerdict, replicaSetVerdict } from './workload'

/** Printed returns the cell of a column by name; '' if there is none. */
export type Printed = (column: string) => string

/** Seen is what is known besides the row; the two times are in milliseconds. */
export interface Seen {
  /** When it is judged, and when the row was printed. */
  readonly now: number
  readonly printed: number
  /** The object itself, of the kinds of judgedWhole. */
  readonly object?: KubeObject | undefined
  /** Whether some of its Pods fail, as far as they are known. */
  readonly failing?: boolean
  /** For how long the object has been as it is, in milliseconds, as far as that is known. */
  readonly standing?: number
}

type Judge = (o: KubeObject, now: number, failing: boolean, standing: number) => Verdict

/** byObject maps kinds whose rows do not show their state to the functions that compute it. */
const byObject: Readonly<Record<string, Judge>> = {
  'deployments.apps': deploymentVerdict,
  'statefulsets.apps': (o, _, failing) => statefulSetVerdict(o as StatefulSet, failing),
  'daemonsets.apps': (o, _, failing, standing) => daemonSetVerdict(o as DaemonSet, failing, standing),
  'replicasets.apps': (o, _, failing) => replicaSetVerdict(o, failing),
  replicationcontrollers: (o, _, failing) => replicaSetVerdict(o, failing),
  'jobs.batch': jobVerdict,
  'cronjobs.batch': cronJobVerdict,
  nodes: nodeVerdict,
  'poddisruptionbudgets.policy': (o) => budgetVerdict(o as Budget),
  'horizontalpodautoscalers.autoscaling': (o) => autoscalerVerdict(o as Autoscaler),
}

/** judgedWhole are those kinds: tables read their objects too. */
export const judgedWhole: ReadonlySet<string> = new Set(Object.keys(byObject))

/** judgedByPods are the kinds that are in trouble when they are short of Pods while some of their Pods fail. */
export const judgedByPods: ReadonlySet<string> = new Set([
  'deployments.apps',
  'statefulsets.apps',
  'daemonsets.apps',
  'replicasets.apps',
  'replicationcontrollers',
])

/**
 * stateOf returns the state of an object, from its row and what was read with it; undefined for
 * kinds without states.
 */
export function stateOf(resource: string, meta: Meta, printed: Printed, seen: Seen): State | undefined {
  const judge = byObject[resource]
  if (judge) return seen.object && judge(seen.object, seen.now, seen.failing ?? false, seen.standing ?? 0).state
  switch (resource) {
    case 'pods':
      if (meta.deletionTimestamp !== undefined) return 'going'
      return podState({ status: printed('Status'), ready: printed('Ready'), restarts: printed('Restarts'), at: seen.printed }, seen.now)
    case 'events':
    case 'events.events.k8s.io':
      return printed('Type') === 'Normal' ? 'ok' : 'warn'
    default:
      return phaseState(resource, meta.deletionTimestamp === undefined ? printed('Status') : 'Terminating')
  }
}
