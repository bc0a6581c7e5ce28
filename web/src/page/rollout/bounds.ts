import type { Deployment } from '../../api/workload'

/** Bounds are the limits that a Deployment observes during a rollout. */
export interface Bounds {
  readonly replicas: number
  /** The maximum number of Pods that its ReplicaSets request together. */
  readonly most: number
  /** The minimum number of available Pods, once it has been reached. */
  readonly least: number
}

/**
 * scaled returns a number of Pods, or a percentage of a total, rounded up or down. Anything else is
 * 0.
 *
 * Source: kubernetes v1.36 staging/src/k8s.io/apimachinery/pkg/util/intstr/intstr.go,
 * GetScaledValueFromIntOrPercent
 */
export function scaled(value: number | string | undefined, total: number, up: boolean): number {
  if (typeof value === 'number') return value
  const percent = /^(\d+)%$/.exec(value ?? '')
  if (!percent) return 0
  const part = (Number(percent[1]) * total) / 100
  return up ? Math.ceil(part) : Math.floor(part)
}

/**
 * boundsOf returns the bounds of a Deployment. With the defaults (25 %) and ten replicas: at most
 * 13 Pods, at least 8 available. Recreate removes all old Pods before it creates new ones, so it
 * keeps none available.
 *
 * Source: kubernetes v1.36 pkg/controller/deployment/util/deployment_util.go, ResolveFenceposts,
 * MaxUnavailable, MaxSurge
 */
export function boundsOf(spec: Deployment['spec']): Bounds {
  const replicas = spec.replicas ?? 1
  if (spec.strategy?.type === 'Recreate') return { replicas, most: replicas, least: 0 }
  const { maxSurge = '25%', maxUnavailable = '25%' } = spec.strategy?.rollingUpdate ?? {}
  const surge = scaled(maxSurge, replicas, true)
  let unavailable = scaled(maxUnavailable, replicas, false)
  if (surge === 0 && unavailable === 0) unavailable = 1 // otherwise nothing could be replaced
  return { replicas, most: replicas + surge, least: Math.max(0, replicas - unavailable) }
}
