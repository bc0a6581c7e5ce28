import type { Condition, KubeObject, Meta } from './object'
import type { Selector } from './selector'
import type { PodTemplate } from './workload'

/** ClaimTemplate is a StatefulSet's template of a claim for each of its Pods. */
export interface ClaimTemplate {
  readonly metadata: { readonly name: string }
}

export interface StatefulSet extends KubeObject {
  readonly spec?: {
    readonly replicas?: number
    readonly selector?: Selector
    readonly template?: PodTemplate
    readonly serviceName?: string
    readonly podManagementPolicy?: string
    readonly ordinals?: { readonly start?: number }
    readonly updateStrategy?: {
      readonly type?: string
      readonly rollingUpdate?: { readonly partition?: number; readonly maxUnavailable?: number | string }
    }
    readonly volumeClaimTemplates?: readonly ClaimTemplate[]
    readonly persistentVolumeClaimRetentionPolicy?: { readonly whenDeleted?: string; readonly whenScaled?: string }
  }
  readonly status?: {
    readonly observedGeneration?: number
    readonly replicas?: number
    readonly readyReplicas?: number
    readonly availableReplicas?: number
    readonly currentReplicas?: number
    readonly updatedReplicas?: number
    readonly currentRevision?: string
    readonly updateRevision?: string
    readonly conditions?: readonly Condition[]
  }
}

export interface DaemonSet extends KubeObject {
  readonly spec?: {
    readonly selector?: Selector
    readonly template?: PodTemplate
    readonly updateStrategy?: {
      readonly type?: string
      readonly rollingUpdate?: { readonly maxUnavailable?: number | string; readonly maxSurge?: number | string }
    }
  }
  readonly status?: {
    readonly observedGeneration?: number
    readonly desiredNumberScheduled?: number
    readonly currentNumberScheduled?: number
    readonly numberReady?: number
    readonly numberAvailable?: number
    readonly numberUnavailable?: number
    readonly numberMisscheduled?: number
    readonly updatedNumberScheduled?: number
    readonly conditions?: readonly Condition[]
  }
}

export interface Controller extends KubeObject {
  readonly spec?: { readonly replicas?: number; readonly selector?: Readonly<Record<string, string>>; readonly template?: PodTemplate }
  readonly status?: {
    readonly replicas?: number
    readonly readyReplicas?: number
    readonly availableReplicas?: number
    readonly conditions?: readonly Condition[]
  }
}

/**
 * historyLabel is the label with the revision of the StatefulSet or DaemonSet from which a Pod was
 * created.
 */
export const historyLabel = 'controller-revision-hash'

/** startOf returns the lowest ordinal of a StatefulSet. */
export const startOf = (s: StatefulSet): number => s.spec?.ordinals?.start ?? 0

/** inOrder reports whether a StatefulSet creates a Pod only when all earlier ones are ready. */
export const inOrder = (s: StatefulSet): boolean => s.spec?.podManagementPolicy !== 'Parallel'

/**
 * ordinalOf returns the ordinal in the name of a StatefulSet's Pod; null if the name has another
 * form.
 *
 * Source: kubernetes v1.36 pkg/controller/statefulset/stateful_set_utils.go,
 * getParentNameAndOrdinal
 */
export function ordinalOf(pod: Pick<Meta, 'name'>, set: string): number | null {
  const rest = pod.name.startsWith(`${set}-`) ? pod.name.slice(set.length + 1) : ''
  return /^\d{1,10}$/.test(rest) ? Number(rest) : null
}

/** Revision is a ControllerRevision: a past template of a StatefulSet or DaemonSet, as a patch. */
export interface Revision extends KubeObject {
  readonly revision?: number
  readonly data?: { readonly spec?: { readonly template?: PodTemplate } }
}

/**
 * numbersOf maps the values of Pods' revision labels to revision numbers. StatefulSets use the
 * object's name as the value, DaemonSets its hash.
 */
export function numbersOf(all: readonly Revision[]): ReadonlyMap<string, number> {
  const out = new Map<string, number>()
  for (const r of all) {
    for (const key of [r.metadata.name, r.metadata.labels?.[historyLabel], r.metadata.labels?.['controller.kubernetes.io/hash']]) {
      if (key) out.set(key, r.revision ?? 0)
    }
  }
  return out
}
