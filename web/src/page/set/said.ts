import type { Key } from '../../i18n'
import type { State } from '../../ui/state'

/** Said is how an object is: its state, and the message that says it. */
export interface Said {
  readonly state: State
  readonly key: Key
  readonly values: Readonly<Record<string, string | number>>
}
