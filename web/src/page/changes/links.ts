import { href } from '../../route'
import type { Change } from '../../time/log'

/** changeHref is the address of a change. */
export const changeHref = (revision: number): string => href({ page: 'other', name: 'changes', query: { change: String(revision) } })

/**
 * momentHref is the address of a change's object after the change or, if the change deleted it,
 * before.
 */
export function momentHref(c: Change): string {
  return objectAt(c, c.verb === 'deleted' ? c.revision - 1 : c.revision)
}

/** objectAt is the address of a change's object at a revision. */
export function objectAt(c: Change, revision: number): string {
  return href({
    page: 'object',
    resource: c.resource,
    namespace: c.namespace ?? '',
    name: c.name,
    tab: '',
    query: { at: String(Math.max(1, revision)) },
  })
}
