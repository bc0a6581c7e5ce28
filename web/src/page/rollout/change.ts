import type { KubeObject } from '../../api/object'
import type { Own } from '../../api/own'

/** LogChange is a change of the log with its body. Source: Rowlock's operation GET /rowlock/v1/changes?bodies=true. */
export type LogChange = Pick<Own<'Change'>, 'revision' | 'at' | 'verb' | 'uid' | 'resource'> & { readonly object?: KubeObject }

/** Form is what is read out of the changes of the log. */
export interface Form<S> {
  /** sampleOf reads a change; undefined where there is nothing in it. */
  readonly sampleOf: (c: LogChange) => S | undefined
  /** Numbers whose highest and lowest stay where there are more samples than are kept. */
  readonly numbers: readonly ((s: S) => number)[]
}
