import { controllerOf } from '../api/object'
import type { Action, Target } from './action'
import { accessTo } from './may'

const isPod = ({ resource }: Target): boolean => resource.id === 'pods'

const ends = ({ object }: Target): boolean => object.metadata.deletionTimestamp !== undefined

const mayPatch: Action['needs'] = ({ resource, object }) => [accessTo('patch', resource, object.metadata.namespace)]

/** mayFail is the right to inject faults. */
export const mayFail: Action['needs'] = () => [{ verb: 'post', path: '/rowlock/v1/faults' }]

/** selects lists the kinds that select Pods by labels. */
const selects = ['deployments.apps', 'replicasets.apps', 'replicationcontrollers', 'statefulsets.apps', 'daemonsets.apps', 'jobs.batch']

/** podActions are the actions on Pods, and the editing of labels, which applies to all objects. */
export const podActions: readonly Action[] = [
  {
    id: 'labels',
    title: 'act.labels',
    fits: ({ resource }) => resource.verbs.includes('patch'),
    needs: mayPatch,
    dialog: () => import('./labels').then((m) => m.Labels),
  },
  {
    id: 'isolate',
    title: 'act.isolate',
    fits: (of) => isPod(of) && !ends(of) && controllerOf(of.object.metadata) !== undefined,
    needs: mayPatch,
    dialog: () => import('./isolation').then((m) => m.Isolation),
  },
  {
    id: 'evict',
    title: 'act.evict',
    danger: true,
    fits: (of) => isPod(of) && !ends(of),
    needs: ({ resource, object }) => [accessTo('create', resource, object.metadata.namespace, 'eviction')],
    dialog: () => import('./confirm').then((m) => m.Evict),
  },
  {
    id: 'fail',
    title: 'act.fail',
    danger: true,
    fits: (of) => (isPod(of) && !ends(of)) || of.resource.id === 'nodes' || selects.includes(of.resource.id),
    needs: mayFail,
    dialog: () => import('./fail').then((m) => m.Fail),
  },
]
