import type { Condition, KubeObject } from './object'
import { type Selector, selects } from './selector'

export interface Budget extends KubeObject {
  readonly spec?: {
    readonly selector?: Selector
    readonly minAvailable?: number | string
    readonly maxUnavailable?: number | string
    readonly unhealthyPodEvictionPolicy?: string
  }
  readonly status?: {
    readonly observedGeneration?: number
    readonly disruptionsAllowed?: number
    readonly currentHealthy?: number
    readonly desiredHealthy?: number
    readonly expectedPods?: number
    /** Pods whose eviction is accepted but not yet observed, with the time of the eviction. */
    readonly disruptedPods?: Readonly<Record<string, string>>
    readonly conditions?: readonly Condition[]
  }
}

/**
 * covers reports whether a budget covers an object with these labels. A budget without a selector
 * covers nothing, one with an empty selector covers all Pods of its namespace.
 */
export const covers = (b: Budget, labels: Readonly<Record<string, string>> | undefined): boolean =>
  b.spec?.selector !== undefined && selects(b.spec.selector, labels)
