import { signal } from '@preact/signals'

/** Making is what a fork is to be made from: a revision of the log, a snapshot, or by neither the cluster as it is now. */
export interface Making {
  readonly at?: number
  readonly snapshot?: string
}

/** making is the fork whose form is open; null for none. */
export const making = signal<Making | null>(null)

/** made counts the forks that have been made here, so that lists of them are read again. */
export const made = signal(0)
