import { at } from '../../route'
import type { TabProps } from '../object/tabprops'
import { Changes } from './table'

/** History is the log of one object. */
export function History({ resource, object }: TabProps) {
  return <Changes scope={{ resource: resource.id, uid: object.metadata.uid }} upTo={at.value} />
}
