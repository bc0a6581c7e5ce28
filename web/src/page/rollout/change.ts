import type { KubeObject } from '../../api/object'
import type { Own } from '../../api/own'

/** LogChange is a change of the log with its body. Source: Rowlock's operation GET /rowlock/v1/changes?bodies=true. */
export type LogChange = Pick<Own<'Change'>, 'revision' | 'at' | 'verb' | 'uid' | 'resource'> & { readonly object?: KubeObject }

/** Form reads samples from the changes of the log. */
export interface Form<S> {
  /** sampleOf reads a change; undefined if it is irrelevant. */
  readonly sampleOf: (c: LogChange) => S | undefined
  /** Numbers whose maxima and minima are kept when samples are thinned. */
  readonly numbers: readonly ((s: S) => number)[]
}
