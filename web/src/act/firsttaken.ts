import { signal } from '@preact/signals'

/** Step is one of the first things to do with a new cluster. */
export type Step = 'deploy' | 'break' | 'advance'

/**
 * taken are the steps taken on this page. After the first one the panel stays until it is closed.
 */
export const taken = signal<ReadonlySet<Step>>(new Set())
export const closed = signal(false)

/**
 * firstStepsShown reports whether to show the panel: in a cluster without workloads, and until the
 * steps are done.
 */
export const firstStepsShown = (empty: boolean): boolean => !closed.value && (empty || taken.value.size > 0)
