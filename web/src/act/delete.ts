import type { Action } from './action'
import { accessTo } from './may'

/** deletion asks how, and shows first what it would take along. */
export const deletion: Action = {
  id: 'delete',
  title: 'act.delete',
  danger: true,
  fits: ({ resource, object }) => resource.verbs.includes('delete') && object.metadata.deletionTimestamp === undefined,
  needs: ({ resource, object }) => [accessTo('delete', resource, object.metadata.namespace)],
  dialog: () => import('./deletion').then((m) => m.Deletion),
}
