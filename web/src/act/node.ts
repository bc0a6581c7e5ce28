import { t } from '../i18n'
import { type Action, done, type Target } from './action'
import { cordon } from './cordon'
import { accessTo } from './may'

/** unschedulable reports whether a node is cordoned. */
export const unschedulable = ({ object }: Target): boolean =>
  (object.spec as { unschedulable?: boolean } | undefined)?.unschedulable === true

const isNode = ({ resource }: Target): boolean => resource.id === 'nodes'

const mayPatch: Action['needs'] = ({ resource }) => [accessTo('patch', resource, undefined)]

/** nodeActions are the actions on nodes. */
export const nodeActions: readonly Action[] = [
  {
    id: 'cordon',
    title: 'act.cordon',
    fits: (of) => isNode(of) && !unschedulable(of),
    needs: mayPatch,
    run: async (of) => {
      await cordon(of, true)
      done(t('node.cordoned'), of)
    },
  },
  {
    id: 'uncordon',
    title: 'act.uncordon',
    fits: (of) => isNode(of) && unschedulable(of),
    needs: mayPatch,
    run: async (of) => {
      await cordon(of, false)
      done(t('node.uncordoned'), of)
    },
  },
  {
    id: 'drain',
    title: 'act.drain',
    danger: true,
    fits: isNode,
    needs: (of) => [...mayPatch(of), { verb: 'create', resource: 'pods', subresource: 'eviction' }],
    dialog: () => import('./draining').then((m) => m.Draining),
  },
]
