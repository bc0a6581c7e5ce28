import type { Action } from './action'
import { accessTo } from './may'

/** deletion opens a dialog that previews the effects. */
export const deletion: Action = {
  id: 'delete',
  title: 'act.delete',
  danger: true,
  fits: ({ resource, object }) => resource.verbs.includes('delete') && object.metadata.deletionTimestamp === undefined,
  needs: ({ resource, object }) => [accessTo('delete', resource, object.metadata.namespace)],
  dialog: () => import('./deletion').then((m) => m.Deletion),
}
