import type { Meta } from '../../api/object'

/** Side says which cluster changed an object since the fork was made. */
export type Side = 'origin' | 'fork' | 'both'

/** Difference is an object that has different versions in the two clusters, or exists in only one. */
export interface Difference {
  readonly namespace: string
  readonly name: string
  /** Whether each cluster has it. */
  readonly inOrigin: boolean
  readonly inFork: boolean
  /**
   * The side that made the change: for an object missing on one side, the one that created or
   * deleted it.
   */
  readonly by: Side
}

/** Identity holds the fields that are compared: the version stands for the whole content. */
export type Identity = Pick<Meta, 'name' | 'namespace' | 'uid' | 'resourceVersion'>

const keyOf = (i: Identity): string => JSON.stringify([i.namespace ?? '', i.name])

/**
 * differencesOf compares the objects of a kind in a fork with those of its origin, in order of
 * name.
 *
 * `since` is the revision from which both started. Objects keep their versions in a fork, so an
 * object with the same version in both is unchanged, unless the version is newer than `since`: from
 * there both clusters use the same numbers independently.
 */
export function differencesOf(origin: readonly Identity[], fork: readonly Identity[], since: number): Difference[] {
  const there = new Map(origin.map((i) => [keyOf(i), i]))
  const here = new Map(fork.map((i) => [keyOf(i), i]))
  const found: Difference[] = []
  for (const key of new Set([...there.keys(), ...here.keys()])) {
    const [a, b] = [there.get(key), here.get(key)]
    const by = sideOf(a, b, since)
    const of = a ?? b
    if (by !== null && of) found.push({ namespace: of.namespace ?? '', name: of.name, inOrigin: !!a, inFork: !!b, by })
  }
  return found.sort((x, y) => x.namespace.localeCompare(y.namespace) || x.name.localeCompare(y.name))
}

/** sideOf returns which side changed an object, null if neither did. */
function sideOf(origin: Identity | undefined, fork: Identity | undefined, since: number): Side | null {
  const late = (i: Identity) => Number(i.resourceVersion) > since
  if (!origin) return fork && late(fork) ? 'fork' : 'origin' // an object that is not newer than the fork existed before it, so it was deleted
  if (!fork) return late(origin) ? 'origin' : 'fork'
  if (late(origin) && late(fork)) return 'both'
  if (late(origin)) return 'origin'
  if (late(fork)) return 'fork'
  return origin.uid === fork.uid && origin.resourceVersion === fork.resourceVersion ? null : 'both'
}
