import type { Row } from '../../api/form'
import { controllerOf } from '../../api/object'
import { resourceId } from '../../api/resource'
import type { State } from '../../ui/state'
import { type Places, podStateOf, text } from '../../verdict/row'
import { type ContainerStatus, conditionOf, type Pod } from './objects'
import { type About, type Problem, timeOf, type Why } from './problem'

const reasons: Readonly<Record<string, Why>> = {
  ErrImagePull: 'pull',
  ImagePullBackOff: 'pull',
  ErrImageNeverPull: 'pull',
  InvalidImageName: 'imageName',
  CrashLoopBackOff: 'crash',
  CreateContainerConfigError: 'config',
  CreateContainerError: 'config',
  RunContainerError: 'config',
  OOMKilled: 'memory',
  Evicted: 'evicted',
}

/** How long, in milliseconds, a Pod may wait for a node, become ready, and take to go, before one is told. */
const patience = { scheduling: 5_000, ready: 60_000, going: 30_000 }

/** isUnbound says whether a Pod waits for a node. One that has a node and has not begun is Pending too. */
function isUnbound(row: Row, at: Places): boolean {
  return text(row, at.status) === 'Pending' && ['', '<none>'].includes(text(row, at.node))
}

interface Judged {
  readonly why: Why
  readonly state: State
}

/** judgePod says what is wrong with a Pod, as far as its row tells; null if nothing is. What becomes of a Job's Pod is the Job's affair. */
export function judgePod(row: Row, at: Places, now: number): Judged | null {
  const state = podStateOf(row, at, now)
  const age = now - (timeOf(row.meta.creationTimestamp) ?? now)
  switch (state) {
    case 'going':
      return now - (timeOf(row.meta.deletionTimestamp) ?? now) > patience.going ? { why: 'podStuck', state: 'warn' } : null
    case 'wait':
      return isUnbound(row, at) && age > patience.scheduling ? { why: 'unscheduled', state: 'wait' } : null
    case 'busy':
      return text(row, at.status) === 'Running' && age > patience.ready ? { why: 'notReady', state: 'warn' } : null
    case 'warn':
    case 'bad': {
      const why = reasons[text(row, at.status).replace(/^Init:/, '')]
      if (why) return { why, state }
      return state === 'bad' && controllerOf(row.meta)?.kind !== 'Job' ? { why: 'podFailed', state } : null
    }
    default:
      return null
  }
}

/** plurals are the resources of the kinds that make Pods. */
const plurals: Readonly<Record<string, string>> = {
  ReplicaSet: 'replicasets',
  Job: 'jobs',
  StatefulSet: 'statefulsets',
  DaemonSet: 'daemonsets',
  ReplicationController: 'replicationcontrollers',
}

/** judgePods finds the Pods in trouble. Those of one owner that are in the same trouble are one problem, about the oldest of them. */
export function judgePods(rows: Iterable<Row>, at: Places, now: number): Problem[] {
  const found = new Map<string, Group>()
  for (const row of rows) {
    const j = judgePod(row, at, now)
    if (!j) continue
    const id = `${controllerOf(row.meta)?.uid ?? row.meta.uid}/${j.why}`
    const g = found.get(id)
    if (!g) found.set(id, { ...j, id, count: 1, oldest: row, newest: row })
    else {
      g.count++
      if (row.meta.creationTimestamp > g.newest.meta.creationTimestamp) g.newest = row
      if (row.meta.creationTimestamp < g.oldest.meta.creationTimestamp) g.oldest = row
    }
  }
  return [...found.values()].map((g) => problemOf(g, at))
}

interface Group extends Judged {
  readonly id: string
  count: number
  oldest: Row // it is the last to be replaced, so that what is shown does not jump
  newest: Row
}

function problemOf(g: Group, at: Places): Problem {
  const { meta } = g.oldest
  const owner = controllerOf(meta)
  const plural = plurals[owner?.kind ?? '']
  const group = owner?.apiVersion.includes('/') ? (owner.apiVersion.split('/')[0] ?? '') : ''
  const labels = ['pod-template-hash', 'batch.kubernetes.io/job-name', 'controller-revision-hash'].find(
    (l) => meta.labels?.[l] !== undefined,
  )
  const of: About | undefined =
    owner && plural ? { resource: resourceId(plural, group), kind: owner.kind, namespace: meta.namespace, name: owner.name } : undefined
  return {
    id: g.id,
    state: g.state,
    why: g.why,
    reason: g.why === 'notReady' ? 'NotReady' : text(g.oldest, at.status),
    message: '',
    about: { resource: 'pods', kind: 'Pod', namespace: meta.namespace, name: meta.name },
    since: timeOf(g.newest.meta.creationTimestamp),
    count: g.count,
    ...(of ? { owner: of } : {}),
    ...(labels ? { labels: `${labels}=${meta.labels?.[labels]}` } : {}),
  }
}

/** Detail is what a whole Pod tells about its trouble, and its row does not; `why` and `reason` where it knows better than the row. */
export interface Detail {
  readonly why?: Why
  readonly reason?: string
  readonly message: string
  readonly exitCode: number | null
  readonly since: number | null
}

/** detailOf reads it. */
export function detailOf(pod: Pod, why: Why): Detail {
  const all = [...(pod.status?.initContainerStatuses ?? []), ...(pod.status?.containerStatuses ?? [])]
  if (why === 'unscheduled') return unscheduled(pod)
  if (why === 'notReady') return fromCondition(pod, 'Ready')
  const waiting = all.find((c) => c.state?.waiting?.reason !== undefined && c.state.waiting.reason in reasons)
  const ended = waiting ?? all.find((c) => endOf(c) !== undefined)
  const end = ended && endOf(ended)
  return {
    message: waiting?.state?.waiting?.message ?? end?.message ?? pod.status?.message ?? '',
    exitCode: why === 'crash' || why === 'podFailed' || why === 'memory' ? (end?.exitCode ?? null) : null,
    since: null,
  }
}

/** endOf is how a container last ended. */
const endOf = (c: ContainerStatus) => c.state?.terminated ?? c.lastState?.terminated

/** unscheduled tells those that no node can take from those that the scheduler has not come to. */
function unscheduled(pod: Pod): Detail {
  const c = conditionOf(pod, 'PodScheduled', 'False')
  const detail = fromCondition(pod, 'PodScheduled')
  return c?.reason === 'Unschedulable' ? { ...detail, why: 'unschedulable', reason: c.reason } : detail
}

function fromCondition(pod: Pod, type: string): Detail {
  const c = conditionOf(pod, type, 'False')
  return { message: c?.message ?? '', exitCode: null, since: timeOf(c?.lastTransitionTime) }
}
