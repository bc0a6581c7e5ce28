import type { Deployment } from '../../api/workload'

/** Bounds are what a Deployment keeps to while it replaces its Pods. */
export interface Bounds {
  readonly replicas: number
  /** How many Pods its ReplicaSets ask for at most, all together. */
  readonly most: number
  /** How many Pods are available at least, once so many have been. */
  readonly least: number
}

/**
 * scaled is a number of Pods, or a percentage of a total, which is rounded up or down. What is neither is 0.
 *
 * Source: kubernetes v1.36 staging/src/k8s.io/apimachinery/pkg/util/intstr/intstr.go, GetScaledValueFromIntOrPercent
 */
export function scaled(value: number | string | undefined, total: number, up: boolean): number {
  if (typeof value === 'number') return value
  const percent = /^(\d+)%$/.exec(value ?? '')
  if (!percent) return 0
  const part = (Number(percent[1]) * total) / 100
  return up ? Math.ceil(part) : Math.floor(part)
}

/**
 * boundsOf are the bounds that a Deployment sets. With the defaults (a quarter each) and ten replicas: at most 13 Pods, at least 8 available.
 * Recreate lets all old Pods go before it makes new ones, so it holds nothing available.
 *
 * Source: kubernetes v1.36 pkg/controller/deployment/util/deployment_util.go, ResolveFenceposts, MaxUnavailable, MaxSurge
 */
export function boundsOf(spec: Deployment['spec']): Bounds {
  const replicas = spec.replicas ?? 1
  if (spec.strategy?.type === 'Recreate') return { replicas, most: replicas, least: 0 }
  const { maxSurge = '25%', maxUnavailable = '25%' } = spec.strategy?.rollingUpdate ?? {}
  const surge = scaled(maxSurge, replicas, true)
  let unavailable = scaled(maxUnavailable, replicas, false)
  if (surge === 0 && unavailable === 0) unavailable = 1 // nothing could be replaced
  return { replicas, most: replicas + surge, least: Math.max(0, replicas - unavailable) }
}
