import type { Condition, KubeObject } from '../../api/object'

/** Job holds the fields of a Job that its page shows. */
export interface Job extends KubeObject {
  readonly spec: {
    readonly parallelism?: number
    readonly completions?: number
    readonly completionMode?: 'Indexed' | 'NonIndexed'
    readonly backoffLimit?: number
    readonly backoffLimitPerIndex?: number
    readonly maxFailedIndexes?: number
    readonly activeDeadlineSeconds?: number
    readonly ttlSecondsAfterFinished?: number
    readonly suspend?: boolean
  }
  readonly status?: {
    readonly active?: number
    readonly ready?: number
    readonly succeeded?: number
    readonly failed?: number
    readonly terminating?: number
    readonly startTime?: string
    readonly completionTime?: string
    readonly completedIndexes?: string
    readonly failedIndexes?: string
    readonly conditions?: readonly Condition[]
  }
}

/** CronJob holds the fields of a CronJob that its page shows. */
export interface CronJob extends KubeObject {
  readonly spec: {
    readonly schedule: string
    readonly timeZone?: string
    readonly suspend?: boolean
    readonly concurrencyPolicy?: string
    readonly startingDeadlineSeconds?: number
    readonly jobTemplate: { readonly metadata?: Partial<KubeObject['metadata']>; readonly spec: unknown }
  }
  readonly status?: {
    readonly active?: readonly { readonly name?: string }[]
    readonly lastScheduleTime?: string
    readonly lastSuccessfulTime?: string
  }
}
