import { signal } from '@preact/signals'

/** Step is one of the first things to do with a new cluster. */
export type Step = 'deploy' | 'break' | 'advance'

/** taken are the steps that the person has taken on this page; the panel stays once the first is taken, until it is closed. */
export const taken = signal<ReadonlySet<Step>>(new Set())
export const closed = signal(false)

/** firstStepsShown says whether the panel is shown: in a cluster without workloads, and through all steps. */
export const firstStepsShown = (empty: boolean): boolean => !closed.value && (empty || taken.value.size > 0)
