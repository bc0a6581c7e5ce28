import { signal } from '@preact/signals'

/**
 * Making is what to fork: a revision of the log, a snapshot, or, with neither, the current state of
 * the cluster.
 */
export interface Making {
  readonly at?: number
  readonly snapshot?: string
}

/** making is the fork whose form is open; null for none. */
export const making = signal<Making | null>(null)

/** made counts the forks that have been made here, so that lists of them are read again. */
export const made = signal(0)
