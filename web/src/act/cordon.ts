import type { Target } from './action'
import { patch } from './write'

/**
 * cordon cordons or uncordons a node.
 *
 * Source: https://kubernetes.io/docs/concepts/architecture/nodes/#manual-node-administration
 */
export async function cordon(of: Target, closed: boolean): Promise<void> {
  await patch(of, { spec: { unschedulable: closed || null } })
}
