import type { Autoscaler, ScalingRules } from '../../api/autoscaler'
import { autoscalerVerdict } from '../../verdict/bounds'
import type { Said } from '../set/said'

/**
 * wordsOf describes an autoscaler: what it cannot do, or else what it is doing. `raw` is the
 * controller's own message.
 *
 * Source: kubernetes v1.36 pkg/controller/podautoscaler/horizontal.go, reconcileAutoscaler
 * (conditions and their reasons)
 */
export function wordsOf(h: Autoscaler): Said & { readonly raw: string } {
  const condition = (type: string, status: string) => h.status?.conditions?.find((c) => c.type === type && c.status === status)
  const { state } = autoscalerVerdict(h)
  const { currentReplicas: current = 0, desiredReplicas: desired = 0 } = h.status ?? {}
  const unable = condition('AbleToScale', 'False')
  if (unable) return { state, key: 'hpa.unable', values: {}, raw: unable.message ?? '' }
  const inactive = condition('ScalingActive', 'False')
  if (inactive?.reason === 'ScalingDisabled') return { state, key: 'hpa.disabled', values: {}, raw: '' }
  if (inactive) return { state, key: 'hpa.blind', values: {}, raw: inactive.message ?? '' }
  if (!h.status?.conditions?.length) return { state, key: 'hpa.waiting', values: {}, raw: '' }
  if (current !== desired) return { state, key: 'hpa.scaling', values: { current, desired }, raw: '' }
  const limited = condition('ScalingLimited', 'True')
  const [least, most] = [h.spec?.minReplicas ?? 1, h.spec?.maxReplicas ?? 1]
  if (limited?.reason === 'TooManyReplicas') return { state, key: 'hpa.atMost', values: { most }, raw: '' }
  if (limited?.reason === 'TooFewReplicas') return { state, key: 'hpa.atLeast', values: { least }, raw: '' }
  return { state, key: 'hpa.holding', values: { n: current }, raw: limited?.message ?? '' }
}

/**
 * ruleText formats the rules for one direction by their fields: 4 Pods/15s, 100 Percent/15s, Max,
 * window 0s.
 */
export function ruleText(r: ScalingRules | undefined): string {
  if (!r) return ''
  if (r.selectPolicy === 'Disabled') return 'Disabled'
  const policies = (r.policies ?? []).map((p) => `${p.value} ${p.type}/${p.periodSeconds}s`)
  const choice = policies.length > 1 ? [r.selectPolicy ?? 'Max'] : []
  const window = r.stabilizationWindowSeconds === undefined ? [] : [`stabilizationWindowSeconds=${r.stabilizationWindowSeconds}`]
  return [...policies, ...choice, ...window].join(', ')
}
