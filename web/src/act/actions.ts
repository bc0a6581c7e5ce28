import { objectHref } from '../route'
import type { Action } from './action'
import { deletion } from './delete'
import { accessTo } from './may'
import { nodeActions } from './node'
import { podActions } from './pod'
import { runActions } from './run'

const edit: Action = {
  id: 'edit',
  title: 'act.edit',
  fits: ({ resource }) => resource.verbs.includes('update'),
  needs: ({ resource, object }) => [accessTo('update', resource, object.metadata.namespace)],
  to: ({ resource, object }) => objectHref(resource.id, object.metadata.namespace, object.metadata.name, 'edit'),
}

/** actions are all actions, in the order of menus. */
export const actions: readonly Action[] = [edit, ...runActions, ...podActions, ...nodeActions, deletion]
