import type { Condition, KubeObject } from './object'
import type { Selector } from './selector'

export interface Container {
  readonly name: string
  readonly image?: string
}

export interface PodTemplate {
  readonly metadata?: {
    readonly labels?: Readonly<Record<string, string>>
    readonly annotations?: Readonly<Record<string, string>>
    readonly [field: string]: unknown
  }
  readonly spec?: {
    readonly containers?: readonly Container[]
    readonly initContainers?: readonly Container[]
    readonly [field: string]: unknown
  }
}

/** Strategy says how a Deployment replaces its Pods. */
export interface Strategy {
  readonly type?: string
  readonly rollingUpdate?: { readonly maxSurge?: number | string; readonly maxUnavailable?: number | string }
}

export interface Deployment extends KubeObject {
  readonly spec: {
    readonly replicas?: number
    readonly selector: Selector
    readonly template: PodTemplate
    readonly strategy?: Strategy
    readonly paused?: boolean
    readonly progressDeadlineSeconds?: number
  }
  readonly status?: {
    readonly observedGeneration?: number
    readonly replicas?: number
    readonly updatedReplicas?: number
    readonly readyReplicas?: number
    readonly availableReplicas?: number
    readonly conditions?: readonly Condition[]
  }
}

export interface ReplicaSet extends KubeObject {
  readonly spec: { readonly replicas?: number; readonly selector: Selector; readonly template: PodTemplate }
  readonly status?: {
    readonly replicas?: number
    readonly availableReplicas?: number
    readonly terminatingReplicas?: number
    readonly conditions?: readonly Condition[]
  }
}

/** The annotations that the Deployment controller and kubectl write. */
export const revisionKey = 'deployment.kubernetes.io/revision'
export const changeCauseKey = 'kubernetes.io/change-cause'
export const hashLabel = 'pod-template-hash'

/**
 * revisionOf returns the revision number of a ReplicaSet or the current one of a Deployment, or 0 if
 * it has none.
 */
export function revisionOf(o: Pick<KubeObject, 'metadata'>): number {
  const n = Number(o.metadata.annotations?.[revisionKey])
  return Number.isSafeInteger(n) && n > 0 ? n : 0
}

/**
 * formatSelector formats a selector for labelSelector. An empty one is '', which selects
 * everything.
 */
export function formatSelector(s: Selector | undefined): string {
  const labels = Object.entries(s?.matchLabels ?? {}).map(([key, value]) => `${key}=${value}`)
  const expressions = (s?.matchExpressions ?? []).map(({ key, operator, values = [] }) => {
    switch (operator) {
      case 'In':
        return `${key} in (${values.join(',')})`
      case 'NotIn':
        return `${key} notin (${values.join(',')})`
      case 'Exists':
        return key
      default:
        return `!${key}`
    }
  })
  return [...labels, ...expressions].join(',')
}

/** imagesOf returns the images of a template's containers. */
export const imagesOf = (t: PodTemplate | undefined): string[] => (t?.spec?.containers ?? []).map((c) => c.image ?? '')
