import type { Condition, KubeObject } from '../api/object'
import { terminating, type Verdict } from './verdict'

/** Rollable is what is read of a Deployment. */
export interface Rollable extends KubeObject {
  readonly spec?: { readonly replicas?: number; readonly paused?: boolean }
  readonly status?: {
    readonly observedGeneration?: number
    readonly replicas?: number
    readonly updatedReplicas?: number
    readonly availableReplicas?: number
    readonly conditions?: readonly Condition[]
  }
}

/** patience is after how many milliseconds without enough Pods a Deployment that has been rolled out is in trouble: scaling up takes a while. */
const patience = 30_000

/**
 * deploymentVerdict returns the state of a Deployment: first failures, then a pause, then its
 * progress. `now` is in milliseconds. `failing` says that some of its Pods fail: missing Pods are
 * then a warning.
 *
 * Source: kubernetes v1.36 staging/src/k8s.io/kubectl/pkg/polymorphichelpers/rollout_status.go, DeploymentStatusViewer.Status
 */
export function deploymentVerdict(d: Rollable, now: number, failing = false): Verdict {
  if (d.metadata.deletionTimestamp !== undefined) return terminating
  const {
    replicas = 0,
    updatedReplicas: updated = 0,
    availableReplicas: available = 0,
    observedGeneration,
    conditions = [],
  } = d.status ?? {}
  const condition = (type: string) => conditions.find((c) => c.type === type)
  const failure = condition('ReplicaFailure')
  if (failure?.status === 'True') return { state: 'bad', word: failure.reason || 'ReplicaFailure' }
  const progressing = condition('Progressing')
  if (progressing?.status === 'False' || progressing?.reason === 'ProgressDeadlineExceeded')
    return { state: 'bad', word: progressing.reason || 'ProgressDeadlineExceeded' }
  if (d.spec?.paused) return { state: 'idle', word: 'Paused' }
  if ((d.metadata.generation ?? 0) > (observedGeneration ?? d.metadata.generation ?? 0)) return { state: 'busy', word: 'Progressing' }
  const wanted = d.spec?.replicas ?? 1
  if (updated >= wanted && replicas <= updated && available >= updated) return { state: wanted === 0 ? 'idle' : 'ok', word: 'Available' }
  const there = condition('Available')
  const lacking = there?.status === 'False' && progressing?.reason === 'NewReplicaSetAvailable'
  if (lacking && now - (Date.parse(there.lastTransitionTime ?? '') || now) >= patience)
    return { state: 'warn', word: there.reason || 'MinimumReplicasUnavailable' }
  return { state: failing ? 'warn' : 'busy', word: 'Progressing' }
}

/** Replicated is what is read of a ReplicaSet or a ReplicationController. */
export interface Replicated extends KubeObject {
  readonly spec?: { readonly replicas?: number }
  readonly status?: {
    readonly replicas?: number
    readonly availableReplicas?: number
    readonly conditions?: readonly Condition[]
  }
}

/**
 * replicaSetVerdict returns the state of a ReplicaSet or a ReplicationController. `failing` says
 * that some of its Pods fail.
 *
 * Source: kubernetes v1.36 pkg/controller/replicaset/replica_set_utils.go, calculateStatus
 */
export function replicaSetVerdict(r: Replicated, failing = false): Verdict {
  if (r.metadata.deletionTimestamp !== undefined) return terminating
  const failure = r.status?.conditions?.find((c) => c.type === 'ReplicaFailure' && c.status === 'True')
  if (failure) return { state: 'bad', word: failure.reason || 'ReplicaFailure' }
  const { replicas = 0, availableReplicas: available = 0 } = r.status ?? {}
  const wanted = r.spec?.replicas ?? 1
  if (available >= wanted && replicas <= wanted) return { state: wanted === 0 ? 'idle' : 'ok', word: 'Available' }
  return { state: failing ? 'warn' : 'busy', word: 'Progressing' }
}
