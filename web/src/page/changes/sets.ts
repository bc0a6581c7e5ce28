import type { Item } from '../../api/feed'

/** Compared holds the objects of a kind that differ between two moments. */
export interface Compared<T extends Item> {
  readonly added: readonly T[]
  readonly gone: readonly T[]
  readonly changed: readonly { readonly was: T; readonly is: T }[]
  readonly same: number
}

/**
 * compareItems compares the objects of two moments by uid and version; each list is sorted by name.
 */
export function compareItems<T extends Item>(then: ReadonlyMap<string, T>, now: ReadonlyMap<string, T>): Compared<T> {
  const changed: { was: T; is: T }[] = []
  let same = 0
  for (const [uid, was] of then) {
    const is = now.get(uid)
    if (!is) continue
    if (is.meta.resourceVersion === was.meta.resourceVersion) same++
    else changed.push({ was, is })
  }
  return {
    added: [...now.values()].filter((i) => !then.has(i.meta.uid)).sort(byName),
    gone: [...then.values()].filter((i) => !now.has(i.meta.uid)).sort(byName),
    changed: changed.sort((a, b) => byName(a.is, b.is)),
    same,
  }
}

function byName(a: Item, b: Item): number {
  return (a.meta.namespace ?? '').localeCompare(b.meta.namespace ?? '') || a.meta.name.localeCompare(b.meta.name)
}
