import type { Condition, KubeObject } from './object'

/** MetricValue is a metric's target or current value. */
export interface MetricValue {
  readonly type?: string
  readonly value?: string
  readonly averageValue?: string
  readonly averageUtilization?: number
}

interface Source<V extends 'target' | 'current'> {
  readonly type: string
  readonly resource?: { readonly name: string } & { readonly [K in V]?: MetricValue }
  readonly containerResource?: { readonly name: string; readonly container: string } & { readonly [K in V]?: MetricValue }
  readonly pods?: { readonly metric: { readonly name: string } } & { readonly [K in V]?: MetricValue }
  readonly object?: {
    readonly metric: { readonly name: string }
    readonly describedObject: { readonly kind: string; readonly name: string }
  } & { readonly [K in V]?: MetricValue }
  readonly external?: { readonly metric: { readonly name: string } } & { readonly [K in V]?: MetricValue }
}

export type MetricSpec = Source<'target'>
export type MetricStatus = Source<'current'>

export interface ScalingRules {
  readonly stabilizationWindowSeconds?: number
  readonly selectPolicy?: string
  readonly policies?: readonly { readonly type: string; readonly value: number; readonly periodSeconds: number }[]
}

export interface Autoscaler extends KubeObject {
  readonly spec?: {
    readonly scaleTargetRef: { readonly apiVersion?: string; readonly kind: string; readonly name: string }
    readonly minReplicas?: number
    readonly maxReplicas: number
    readonly metrics?: readonly MetricSpec[]
    readonly behavior?: { readonly scaleUp?: ScalingRules; readonly scaleDown?: ScalingRules }
  }
  readonly status?: {
    readonly observedGeneration?: number
    readonly lastScaleTime?: string
    readonly currentReplicas?: number
    readonly desiredReplicas?: number
    readonly currentMetrics?: readonly MetricStatus[] | null
    readonly conditions?: readonly Condition[]
  }
}
