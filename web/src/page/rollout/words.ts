import type { Condition } from '../../api/object'
import type { Deployment } from '../../api/workload'
import type { Key } from '../../i18n'
import type { State } from '../../ui/state'
import { deploymentVerdict } from '../../verdict/workload'

/** Words are a message and its values. */
export interface Words {
  readonly key: Key
  readonly values: Readonly<Record<string, string | number>>
}

export const conditionOf = (d: Deployment, type: string): Condition | undefined => d.status?.conditions?.find((c) => c.type === type)

/** Progress is the progress of a rollout in words, with the verdict that tables show too. */
export interface Progress extends Words {
  readonly state: State
}

/**
 * progressOf describes the progress of a rollout as `kubectl rollout status` does, except that it
 * says if the rollout is paused, where kubectl would wait forever. `now` is in milliseconds;
 * `failing` says that some of its Pods fail.
 *
 * Source: kubernetes v1.36 staging/src/k8s.io/kubectl/pkg/polymorphichelpers/rollout_status.go,
 * DeploymentStatusViewer.Status
 */
export function progressOf(d: Deployment, now: number, failing: boolean): Progress {
  return { ...wordsOf(d), state: deploymentVerdict(d, now, failing).state }
}

function wordsOf(d: Deployment): Words {
  const { replicas = 0, updatedReplicas: updated = 0, availableReplicas: available = 0, observedGeneration = 0 } = d.status ?? {}
  const wanted = d.spec.replicas ?? 1
  const seen = (d.metadata.generation ?? 0) <= observedGeneration
  if (conditionOf(d, 'ReplicaFailure')?.status === 'True') return { key: 'why.replicaFailure', values: {} }
  if (conditionOf(d, 'Progressing')?.reason === 'ProgressDeadlineExceeded') return { key: 'rollout.exceeded', values: {} }
  if (d.spec.paused) {
    const done = seen && updated >= wanted && replicas <= updated && available >= updated
    return { key: done ? 'rollout.pausedDone' : 'rollout.paused', values: { updated, wanted } }
  }
  if (!seen) return { key: 'rollout.unobserved', values: {} }
  if (updated < wanted) return { key: 'rollout.updating', values: { updated, wanted } }
  if (replicas > updated) return { key: 'rollout.terminating', values: { old: replicas - updated } }
  if (available < updated) return { key: 'rollout.becoming', values: { available, updated } }
  return { key: 'rollout.done', values: {} }
}

/**
 * deadlineOf returns when a rollout without progress will be reported as failed, in milliseconds;
 * null if no deadline is running.
 *
 * Source: kubernetes v1.36 pkg/controller/deployment/util/deployment_util.go, DeploymentTimedOut
 */
export function deadlineOf(d: Deployment): number | null {
  const progressing = conditionOf(d, 'Progressing')
  const seconds = d.spec.progressDeadlineSeconds
  if (!progressing || seconds === undefined || seconds >= 2 ** 31 - 1 || d.spec.paused) return null
  if (progressing.reason === 'NewReplicaSetAvailable' || progressing.reason === 'ProgressDeadlineExceeded') return null
  const since = Date.parse(progressing.lastUpdateTime ?? '')
  return Number.isNaN(since) ? null : since + seconds * 1000
}
