import type { Foretold, Held, Ref } from './foretold'

/**
 * together is what several deletions come to. What more than one of them would take is there once, and `self`, the uids of the objects
 * that are deleted themselves, are not among what goes along: they count as one, as of a single deletion. Counts are of what is listed,
 * and of what the lists leave out.
 */
export function together(all: readonly Foretold[], self: ReadonlySet<string>): Foretold {
  const along = gather(
    all,
    (f) => f.deleted,
    (f) => f.deletedCount,
    self,
  )
  const gone = new Set([...self, ...along.refs.map((r) => r.uid)])
  const orphaned = gather(
    all,
    (f) => f.orphaned,
    (f) => f.orphanedCount,
    gone,
  )
  const released = gather(
    all,
    (f) => f.released ?? [],
    (f) => f.releasedCount ?? 0,
    gone,
  )
  const held = gather<Held>(
    all,
    (f) => f.held ?? [],
    (f) => f.heldCount ?? 0,
    new Set(),
  )
  return {
    propagation: all[0]?.propagation ?? 'Background',
    deleted: along.refs,
    deletedCount: along.count + 1,
    orphaned: orphaned.refs,
    orphanedCount: orphaned.count,
    released: released.refs,
    releasedCount: released.count,
    held: held.refs,
    heldCount: held.count,
  }
}

function gather<R extends Ref>(
  all: readonly Foretold[],
  list: (f: Foretold) => readonly R[],
  count: (f: Foretold) => number,
  without: ReadonlySet<string>,
): { refs: R[]; count: number } {
  const refs = new Map<string, R>()
  let unlisted = 0
  for (const f of all) {
    for (const r of list(f)) if (!without.has(r.uid)) refs.set(r.uid, r)
    unlisted += Math.max(0, count(f) - list(f).length)
  }
  return { refs: [...refs.values()], count: refs.size + unlisted }
}
