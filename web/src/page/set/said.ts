import type { Key } from '../../i18n'
import type { State } from '../../ui/state'

/** Said is the state of an object and the message that describes it. */
export interface Said {
  readonly state: State
  readonly key: Key
  readonly values: Readonly<Record<string, string | number>>
}
