import { signal } from '@preact/signals'

/**
 * Making is what to fork: a revision of the log, a snapshot, or, with neither, the current state of
 * the cluster.
 */
export interface Making {
  readonly at?: number
  readonly snapshot?: string
}

/** making is the fork whose dialog is open; null for none. */
export const making = signal<Making | null>(null)

/** made counts the forks created on this page, so that lists of forks are read again. */
export const made = signal(0)
