import type { Autoscaler } from '../api/autoscaler'
import type { Budget } from '../api/budget'
import { terminating, type Verdict } from './verdict'

/**
 * budgetVerdict returns the state of a PodDisruptionBudget. One that expects no Pods blocks
 * nothing.
 *
 * Source: kubernetes v1.36 pkg/controller/disruption/disruption.go, updatePdbStatus, failSafe
 */
export function budgetVerdict(b: Budget): Verdict {
  if (b.metadata.deletionTimestamp !== undefined) return terminating
  const { disruptionsAllowed = 0, currentHealthy = 0, desiredHealthy = 0, expectedPods = 0, conditions = [] } = b.status ?? {}
  const none = conditions.find((c) => c.type === 'DisruptionAllowed' && c.status === 'False')
  if (none?.reason === 'SyncFailed') return { state: 'bad', word: 'SyncFailed' }
  if ((b.status?.observedGeneration ?? 0) < (b.metadata.generation ?? 1)) return { state: 'wait', word: 'Progressing' }
  if (expectedPods === 0) return { state: 'idle', word: 'InsufficientPods' }
  if (disruptionsAllowed > 0) return { state: 'ok', word: 'SufficientPods' }
  return { state: currentHealthy < desiredHealthy ? 'warn' : 'wait', word: 'InsufficientPods' }
}

/**
 * autoscalerVerdict returns the state of a HorizontalPodAutoscaler from its conditions. One whose
 * target is scaled to zero is idle, as intended.
 *
 * Source: kubernetes v1.36 pkg/controller/podautoscaler/horizontal.go, reconcileAutoscaler
 */
export function autoscalerVerdict(h: Autoscaler): Verdict {
  if (h.metadata.deletionTimestamp !== undefined) return terminating
  const { conditions = [], currentReplicas = 0, desiredReplicas = 0 } = h.status ?? {}
  const condition = (type: string, status: string) => conditions.find((c) => c.type === type && c.status === status)
  const unable = condition('AbleToScale', 'False')
  if (unable) return { state: 'bad', word: unable.reason || 'AbleToScale' }
  const inactive = condition('ScalingActive', 'False')
  if (inactive) return { state: inactive.reason === 'ScalingDisabled' ? 'idle' : 'bad', word: inactive.reason || 'ScalingActive' }
  if (conditions.length === 0) return { state: 'wait', word: 'Progressing' }
  if (currentReplicas !== desiredReplicas) return { state: 'busy', word: 'SucceededRescale' }
  const limited = condition('ScalingLimited', 'True')
  return { state: limited?.reason === 'TooManyReplicas' ? 'warn' : 'ok', word: limited?.reason || 'DesiredWithinRange' }
}
