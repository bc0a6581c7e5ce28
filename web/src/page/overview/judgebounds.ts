import type { Autoscaler } from '../../api/autoscaler'
import type { Budget } from '../../api/budget'
import { conditionOf } from './objects'
import { about, type Problem, problem } from './problem'

/*
 * What is a problem with what bounds the number of Pods: disruption budgets and autoscalers.
 */

/**
 * judgeBudget finds budgets that allow no disruption, and why: it cannot be computed, or as many
 * Pods as required or fewer are healthy. A budget that expects no Pods blocks nothing.
 *
 * Source: kubernetes v1.36 pkg/controller/disruption/disruption.go, updatePdbStatus, failSafe
 */
export function judgeBudget(b: Budget): Problem[] {
  const a = about('poddisruptionbudgets.policy', 'PodDisruptionBudget', b)
  const none = conditionOf(b, 'DisruptionAllowed', 'False')
  if (none?.reason === 'SyncFailed') return [problem(a, b, 'bad', 'budgetFailed', none)]
  const { disruptionsAllowed = 0, currentHealthy: healthy = 0, desiredHealthy: desired = 0, expectedPods: expected = 0 } = b.status ?? {}
  if (b.status === undefined || disruptionsAllowed > 0 || expected === 0) return []
  const why = healthy < desired ? 'budgetBroken' : 'budgetNone'
  const told = problem(a, b, healthy < desired ? 'warn' : 'wait', why, none ?? { reason: 'InsufficientPods' }, {
    healthy,
    desired,
    expected,
  })
  return [healthy < expected && b.spec?.selector ? { ...told, covers: b.spec.selector } : told]
}

/**
 * judgeAutoscaler finds autoscalers that cannot read their metrics, cannot scale, or need more
 * replicas than their maximum. One whose target is scaled to zero is paused, as intended.
 *
 * Source: kubernetes v1.36 pkg/controller/podautoscaler/horizontal.go, reconcileAutoscaler
 */
export function judgeAutoscaler(h: Autoscaler): Problem[] {
  const a = about('horizontalpodautoscalers.autoscaling', 'HorizontalPodAutoscaler', h)
  const unable = conditionOf(h, 'AbleToScale', 'False')
  if (unable) return [problem(a, h, 'bad', 'scalerUnable', unable)]
  const blind = conditionOf(h, 'ScalingActive', 'False')
  if (blind && blind.reason !== 'ScalingDisabled') return [problem(a, h, 'bad', 'scalerBlind', blind)]
  const limited = conditionOf(h, 'ScalingLimited')
  if (limited?.reason !== 'TooManyReplicas') return []
  return [problem(a, h, 'warn', 'scalerAtMost', limited, { most: h.spec?.maxReplicas ?? 0 })]
}
