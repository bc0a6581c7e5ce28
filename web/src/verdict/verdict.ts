import type { State } from '../ui/state'

/*
 * How objects are, judged in one place. Tables, bars, trees, headlines and problems all ask here, so that they say the same.
 */

/** Verdict is how an object is: its state, and the word that kubectl or Kubernetes has for it. */
export interface Verdict {
  readonly state: State
  readonly word: string
}

export const terminating: Verdict = { state: 'going', word: 'Terminating' }
