import { controllerOf } from '../../api/object'
import type { State } from '../../ui/state'
import { parseQuantity } from '../table/key'
import { type Claim, conditionOf, type Deployment, type Job, type Namespace, type Node, type Quota } from './objects'
import { templateOf } from './owners'
import { type About, about, type Problem, problem, timeOf, type Why } from './problem'

/*
 * What is a problem and why, kind by kind. Each function examines one object, and the time if waiting
 * too long is a problem.
 */

/** defaultDeadline is the progress deadline, in seconds, of a Deployment that has none. */
const defaultDeadline = 600

/** judgeDeployment finds stalled rollouts, and Pods that cannot be created. */
export function judgeDeployment(d: Deployment): Problem[] {
  const a = about('deployments.apps', 'Deployment', d)
  const out: Problem[] = []
  const stalled = conditionOf(d, 'Progressing', 'False')
  if (stalled) out.push(problem(a, d, 'bad', 'stalled', stalled, { seconds: d.spec?.progressDeadlineSeconds ?? defaultDeadline }))
  const failure = conditionOf(d, 'ReplicaFailure')
  if (failure) out.push({ ...problem(a, d, 'bad', 'replicaFailure', failure), pods: podsOf(d) })
  return out
}

/** podsOf describes the Pods that an object creates. */
const podsOf = (d: Deployment) => ({ labels: templateOf(d)?.metadata?.labels ?? {}, images: [] })

const jobReasons: Readonly<Record<string, Why>> = {
  BackoffLimitExceeded: 'jobBackoff',
  DeadlineExceeded: 'jobDeadline',
  PodFailurePolicy: 'jobPolicy',
  FailedIndexes: 'jobIndexes',
  MaxFailedIndexesExceeded: 'jobManyIndexes',
}

/** judgeJob finds failed Jobs. Jobs of one CronJob become one problem, see gather. */
export function judgeJob(j: Job): Problem[] {
  const failed = conditionOf(j, 'Failed')
  if (!failed) return []
  const owner = controllerOf(j.metadata)
  const one = problem(about('jobs.batch', 'Job', j), j, 'bad', jobReasons[failed.reason ?? ''] ?? 'jobOther', failed)
  if (owner?.kind !== 'CronJob') return [one]
  const of: About = { resource: 'cronjobs.batch', kind: 'CronJob', namespace: j.metadata.namespace, name: owner.name }
  return [{ ...one, id: `${owner.uid}/${one.why}`, owner: of }]
}

const pressures: readonly [string, Why, State][] = [
  ['MemoryPressure', 'memoryPressure', 'warn'],
  ['DiskPressure', 'diskPressure', 'warn'],
  ['PIDPressure', 'pidPressure', 'warn'],
  ['NetworkUnavailable', 'network', 'bad'],
]

/**
 * judgeNode finds nodes that are not ready, do not report, are short of a resource, or take no
 * Pods.
 */
export function judgeNode(n: Node): Problem[] {
  const a = about('nodes', 'Node', n)
  const out: Problem[] = []
  const unready = conditionOf(n, 'Ready', 'False')
  if (unready) out.push(problem(a, n, 'bad', 'nodeNotReady', unready))
  const unknown = conditionOf(n, 'Ready', 'Unknown')
  if (unknown) out.push(problem(a, n, 'bad', 'nodeUnknown', unknown))
  for (const [type, why, state] of pressures) {
    const c = conditionOf(n, type)
    if (c) out.push(problem(a, n, state, why, { ...c, reason: c.reason ?? type }))
  }
  if (n.spec?.unschedulable) {
    const taint = n.spec.taints?.find((t) => t.key === 'node.kubernetes.io/unschedulable')
    const since = taint?.timeAdded
    out.push(problem(a, n, 'wait', 'cordoned', { reason: 'SchedulingDisabled', ...(since ? { lastTransitionTime: since } : {}) }))
  }
  return out
}

/** patience is how long, in milliseconds, something may wait before it is a problem. */
const patience = 10_000

/** judgeClaim finds claims that wait for their volume, or have lost it. */
export function judgeClaim(c: Claim, now: number): Problem[] {
  const a = about('persistentvolumeclaims', 'PersistentVolumeClaim', c)
  const since = c.metadata.creationTimestamp
  if (c.status?.phase === 'Lost') return [problem(a, c, 'bad', 'claimLost', { reason: 'Lost' })]
  if (c.status?.phase !== 'Pending' || now - (timeOf(since) ?? now) < patience) return []
  return [problem(a, c, 'wait', 'claimPending', { reason: 'Pending', lastTransitionTime: since, message: c.spec?.storageClassName ?? '' })]
}

/** judgeNamespace finds namespaces whose deletion is blocked by their contents. */
export function judgeNamespace(n: Namespace, now: number): Problem[] {
  const begun = n.metadata.deletionTimestamp
  if (begun === undefined || now - (timeOf(begun) ?? now) < patience) return []
  const held =
    conditionOf(n, 'NamespaceDeletionContentFailure') ??
    conditionOf(n, 'NamespaceFinalizersRemaining') ??
    conditionOf(n, 'NamespaceContentRemaining')
  const c = { reason: held?.reason ?? 'Terminating', message: held?.message ?? '', lastTransitionTime: begun }
  return [problem(about('namespaces', 'Namespace', n), n, 'warn', 'namespaceStuck', c)]
}

/**
 * judgeQuota finds quotas with an exhausted resource, unless the limit is zero, which is intended.
 */
export function judgeQuota(q: Quota): Problem[] {
  const { hard = {}, used = {} } = q.status ?? {}
  const full = Object.keys(hard).filter((r) => {
    const most = parseQuantity(hard[r] ?? '') ?? 0
    return most > 0 && (parseQuantity(used[r] ?? '') ?? 0) >= most
  })
  if (full.length === 0) return []
  const message = full.map((r) => `${r}: ${used[r]}/${hard[r]}`).join(', ')
  return [problem(about('resourcequotas', 'ResourceQuota', q), q, 'warn', 'quotaFull', { message }, { resources: full.join(', ') })]
}

/** gather combines problems with the same id, newest first. */
export function gather(all: readonly Problem[]): Problem[] {
  const found = new Map<string, Problem>()
  for (const p of all) {
    const old = found.get(p.id)
    if (!old) found.set(p.id, p)
    else found.set(p.id, { ...((p.since ?? 0) > (old.since ?? 0) ? p : old), count: old.count + p.count })
  }
  return [...found.values()]
}
