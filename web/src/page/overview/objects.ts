import type { Condition, KubeObject } from '../../api/object'

/** The fields that the overview reads of the kinds that it judges. */

interface WithConditions {
  readonly conditions?: readonly Condition[]
}

export interface Deployment extends KubeObject {
  readonly spec?: { readonly progressDeadlineSeconds?: number; readonly paused?: boolean; readonly replicas?: number }
  readonly status?: WithConditions & {
    readonly observedGeneration?: number
    readonly availableReplicas?: number
    readonly updatedReplicas?: number
    readonly replicas?: number
  }
}

export interface Job extends KubeObject {
  readonly spec?: { readonly suspend?: boolean }
  readonly status?: WithConditions & { readonly active?: number }
}

export interface Node extends KubeObject {
  readonly spec?: {
    readonly unschedulable?: boolean
    readonly taints?: readonly { readonly key: string; readonly value?: string; readonly effect: string; readonly timeAdded?: string }[]
  }
  readonly status?: WithConditions & { readonly allocatable?: Readonly<Record<string, string>> }
}

export interface Namespace extends KubeObject {
  readonly status?: WithConditions & { readonly phase?: string }
}

export interface Claim extends KubeObject {
  readonly spec?: { readonly storageClassName?: string }
  readonly status?: { readonly phase?: string }
}

export interface Quota extends KubeObject {
  readonly status?: { readonly hard?: Readonly<Record<string, string>>; readonly used?: Readonly<Record<string, string>> }
}

/** conditionOf returns a condition with the given status. */
export function conditionOf(o: { readonly status?: WithConditions }, type: string, status = 'True'): Condition | undefined {
  return o.status?.conditions?.find((c) => c.type === type && c.status === status)
}
