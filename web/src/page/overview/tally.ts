import type { Row } from '../../api/form'
import type { DaemonSet, StatefulSet } from '../../api/sets'
import type { State } from '../../ui/state'
import { scaleState } from '../../verdict/state'
import type { Job } from './objects'
import { conditionOf } from './objects'
import { type Places, stateOfPod, text } from './pods'

/** Tally is how many of something are in each state. */
export type Tally = Partial<Record<State, number>>

/** Counts are those of Pods: of all, by namespace, and by node. */
export interface Counts {
  readonly all: Tally
  readonly namespaces: ReadonlyMap<string, Tally>
  readonly nodes: ReadonlyMap<string, Tally>
}

function add(to: Tally, state: State): void {
  to[state] = (to[state] ?? 0) + 1
}

function at(map: Map<string, Tally>, name: string): Tally {
  let found = map.get(name)
  if (!found) {
    found = {}
    map.set(name, found)
  }
  return found
}

/** countPods counts Pods, in one pass. */
export function countPods(rows: Iterable<Row>, places: Places): Counts {
  const all: Tally = {}
  const namespaces = new Map<string, Tally>()
  const nodes = new Map<string, Tally>()
  for (const row of rows) {
    const state = stateOfPod(row, places)
    add(all, state)
    add(at(namespaces, row.meta.namespace ?? ''), state)
    const node = text(row, places.node)
    if (node !== '' && node !== '<none>' && state !== 'done' && state !== 'bad') add(at(nodes, node), state)
  }
  return { all, namespaces, nodes }
}

/** tally counts states. */
export function tally(states: Iterable<State>): Tally {
  const out: Tally = {}
  for (const s of states) add(out, s)
  return out
}

/** totalOf is how many there are in all. */
export function totalOf(t: Tally): number {
  return Object.values(t).reduce((sum, n) => sum + n, 0)
}

/** stateOfStatefulSet is how a StatefulSet is. Pods of an older template are meant so where there is a partition, or nothing is replaced by itself. */
export function stateOfStatefulSet(s: StatefulSet): State {
  if (s.metadata.deletionTimestamp !== undefined) return 'going'
  const { type, rollingUpdate } = s.spec?.updateStrategy ?? {}
  const wanted = s.spec?.replicas ?? 1
  const all = type !== 'OnDelete' && !rollingUpdate?.partition
  return scaleState(wanted, s.status?.readyReplicas ?? 0, all ? (s.status?.updatedReplicas ?? 0) : wanted)
}

/** stateOfDaemonSet is how a DaemonSet is. */
export function stateOfDaemonSet(d: DaemonSet): State {
  if (d.metadata.deletionTimestamp !== undefined) return 'going'
  const { desiredNumberScheduled: wanted = 0, numberReady = 0, updatedNumberScheduled = 0 } = d.status ?? {}
  return scaleState(wanted, numberReady, d.spec?.updateStrategy?.type === 'OnDelete' ? wanted : updatedNumberScheduled)
}

/** stateOfJob is how a Job is. */
export function stateOfJob(j: Job): State {
  if (j.metadata.deletionTimestamp !== undefined) return 'going'
  if (conditionOf(j, 'Failed')) return 'bad'
  if (conditionOf(j, 'Complete')) return 'done'
  return j.spec?.suspend ? 'idle' : 'busy'
}
