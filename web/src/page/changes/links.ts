import { href } from '../../route'
import type { Change } from '../../time/log'

/** changeHref is where a change is shown. */
export const changeHref = (revision: number): string => href({ page: 'other', name: 'changes', query: { change: String(revision) } })

/** momentHref is the object of a change as the change left it; of one that it removed, as it was before. */
export function momentHref(c: Change): string {
  return objectAt(c, c.verb === 'deleted' ? c.revision - 1 : c.revision)
}

/** objectAt is the object of a change at a moment. */
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
