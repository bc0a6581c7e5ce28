import type { Condition, KubeObject } from '../api/object'
import type { State } from '../ui/state'

/*
 * How workloads are, judged by the objects themselves. Tables, bars, trees, headlines and problems all ask here, so that they say the same.
 */

/** Verdict is how an object is: its state, and Kubernetes' word for it. */
export interface Verdict {
  readonly state: State
  readonly word: string
}

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
 * deploymentVerdict judges a Deployment. What has failed comes first, then that it is paused, then how far it is. `now` is in milliseconds.
 *
 * Source: kubernetes v1.36 staging/src/k8s.io/kubectl/pkg/polymorphichelpers/rollout_status.go, DeploymentStatusViewer.Status
 */
export function deploymentVerdict(d: Rollable, now: number): Verdict {
  if (d.metadata.deletionTimestamp !== undefined) return { state: 'going', word: 'Terminating' }
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
  return { state: 'busy', word: 'Progressing' }
}
