import type { Row } from '../../api/form'
import { controllerOf, type Meta } from '../../api/object'
import { type Controller, type DaemonSet, historyLabel, inOrder, ordinalOf, type StatefulSet, startOf } from '../../api/sets'
import type { State } from '../../ui/state'
import { type Places, podStateOf } from '../../verdict/row'
import { patience } from '../../verdict/sets'
import { conditionOf } from './objects'
import { about, type Problem, problem, timeOf } from './problem'

/*
 * Problems of StatefulSets, DaemonSets and ReplicationControllers. What one waits for is not in its
 * status; its Pods show it.
 */

/** Member is a Pod of a set. */
export interface Member {
  readonly meta: Meta
  readonly state: State
}

/** Members are the Pods of sets, by the uid of the set. */
export type Members = ReadonlyMap<string, readonly Member[]>

const kinds: readonly (string | undefined)[] = ['StatefulSet', 'DaemonSet']

/** membersOf groups the Pods of StatefulSets and DaemonSets by owner, in one pass. */
export function membersOf(rows: Iterable<Row>, at: Places, now: number): Members {
  const out = new Map<string, Member[]>()
  for (const row of rows) {
    const owner = controllerOf(row.meta)
    if (!owner || !kinds.includes(owner.kind)) continue
    const list = out.get(owner.uid)
    const member = { meta: row.meta, state: podStateOf(row, at, now) }
    if (list) list.push(member)
    else out.set(owner.uid, [member])
  }
  return out
}

/**
 * Stuck is where a StatefulSet is waiting: at the lowest ordinal whose Pod is not ready or does not
 * exist.
 */
export interface Stuck {
  readonly ordinal: number
  readonly member?: Member
}

/** stuckAt finds it; null if all Pods are healthy. */
export function stuckAt(s: StatefulSet, members: readonly Member[]): Stuck | null {
  const found = new Map(members.map((m) => [ordinalOf(m.meta, s.metadata.name), m]))
  const start = startOf(s)
  for (let ordinal = start; ordinal < start + (s.spec?.replicas ?? 1); ordinal++) {
    const member = found.get(ordinal)
    if (!member) return { ordinal }
    if (member.state !== 'ok') return { ordinal, member }
  }
  return null
}

/**
 * broken reports whether a Pod of an older template is not replaced because it is not ready, and so
 * blocks all later ones.
 */
const broken = (s: StatefulSet, m: Member): boolean =>
  inOrder(s) &&
  s.spec?.updateStrategy?.type !== 'OnDelete' &&
  m.state !== 'going' &&
  s.status?.updateRevision !== undefined &&
  m.meta.labels?.[historyLabel] !== undefined &&
  m.meta.labels[historyLabel] !== s.status.updateRevision

/**
 * judgeStatefulSet finds StatefulSets that have waited for a while at an ordinal. With the policy
 * Parallel they do not wait.
 *
 * Source: kubernetes v1.36 pkg/controller/statefulset/stateful_set_control.go, processReplica;
 * https://kubernetes.io/docs/concepts/workloads/controllers/statefulset/#forced-rollback
 */
export function judgeStatefulSet(s: StatefulSet, members: readonly Member[], now: number): Problem[] {
  if (s.metadata.deletionTimestamp !== undefined || !inOrder(s)) return []
  const stuck = stuckAt(s, members)
  if (!stuck) return []
  const name = `${s.metadata.name}-${stuck.ordinal}`
  const { member: m } = stuck
  // A missing Pod has been missing at most since the newest other Pod of the set exists.
  const since = m
    ? (m.meta.deletionTimestamp ?? m.meta.creationTimestamp)
    : [s.metadata, ...members.map((one) => one.meta)].map((one) => one.creationTimestamp).reduce((a, b) => (a > b ? a : b))
  if (now - (timeOf(since) ?? now) < patience) return []
  const a = about('statefulsets.apps', 'StatefulSet', s)
  const values = { ordinal: stuck.ordinal, name }
  const why = !m ? 'setMissing' : broken(s, m) ? 'setBroken' : 'setStuck'
  return [problem(a, s, 'warn', why, { reason: s.spec?.podManagementPolicy ?? 'OrderedReady', lastTransitionTime: since }, values)]
}

/**
 * judgeDaemonSet finds nodes that have lacked their Pod for a while, nodes that should not have
 * one, and Pods that have not been ready for a while. `standing` is how long, in milliseconds, the
 * DaemonSet has not changed.
 */
export function judgeDaemonSet(d: DaemonSet, members: readonly Member[], now: number, standing: number): Problem[] {
  if (d.metadata.deletionTimestamp !== undefined) return []
  const a = about('daemonsets.apps', 'DaemonSet', d)
  const { desiredNumberScheduled: wanted = 0, currentNumberScheduled: there = 0, numberMisscheduled: astray = 0 } = d.status ?? {}
  const out: Problem[] = []
  if (there < wanted && standing >= patience) {
    const since = new Date(now - standing).toISOString()
    const values = { n: wanted - there, wanted }
    out.push(problem(a, d, 'bad', 'daemonMissing', { reason: 'currentNumberScheduled', lastTransitionTime: since }, values))
  }
  const late = members.filter((m) => m.state !== 'ok' && now - (timeOf(m.meta.creationTimestamp) ?? now) >= patience)
  const [first] = late.map((m) => m.meta.creationTimestamp).sort()
  if (first) out.push(problem(a, d, 'warn', 'daemonUnready', { reason: 'NotReady', lastTransitionTime: first }, { n: late.length, wanted }))
  if (astray > 0) out.push(problem(a, d, 'wait', 'daemonAstray', { reason: 'numberMisscheduled' }, { n: astray }))
  return out
}

/** judgeController finds ReplicationControllers whose Pods cannot be created. */
export function judgeController(c: Controller): Problem[] {
  const failure = conditionOf(c, 'ReplicaFailure')
  return failure ? [problem(about('replicationcontrollers', 'ReplicationController', c), c, 'bad', 'replicaFailure', failure)] : []
}
