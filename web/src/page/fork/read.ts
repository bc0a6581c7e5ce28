import { useEffect, useState } from 'preact/hooks'
import type { ApiError } from '../../api/http'
import type { Own } from '../../api/own'
import { readJSON } from '../../api/read'
import { apiOf, base } from '../../base'
import { formatRoute, type Route } from '../../route'

/**
 * Fork is a cluster that started with another's state. Source: Rowlock's operation GET
 * /rowlock/v1/forks.
 */
export type Fork = Own<'Fork'>

/**
 * Snapshot is a stored state or range of the log. Source: Rowlock's operation GET
 * /rowlock/v1/snapshots.
 */
export type Snapshot = Own<'Snapshot'>

export const forksPath = '/rowlock/v1/forks'
export const snapshotsPath = '/rowlock/v1/snapshots'

/** forkPath is the path of a fork. */
export const forkPath = (name: string): string => `${forksPath}/${encodeURIComponent(name)}`

/** makeRight is the right to create a fork. */
export const makeRight = [{ verb: 'post', path: forksPath }]

/** snapshotPath is the path of a snapshot. */
export const snapshotPath = (name: string, part = ''): string => `${snapshotsPath}/${encodeURIComponent(name)}${part}`

/** Listing is a list without watches, as it was last read; items are null until then. */
export interface Listing<T> {
  readonly items: readonly T[] | null
  readonly error: ApiError | null
  readonly again: () => void
}

/**
 * rereads is how often, in milliseconds, a visible list is read again: other clients change it too,
 * and forks expire. Rights change seldom.
 */
const rereads = 15_000
const rereadsRefused = 30_000

/** useListing reads a list regularly, and at once after `again`. */
export function useListing<T>(path: string, of: string): Listing<T> {
  const [items, setItems] = useState<readonly T[] | null>(null)
  const [error, setError] = useState<ApiError | null>(null)
  const [asked, setAsked] = useState(0)
  useEffect(() => {
    const stop = new AbortController()
    let timer: ReturnType<typeof setTimeout> | undefined
    const read = async () => {
      const list = await readJSON<{ items: T[] }>(path, { signal: stop.signal, of }).catch((e: ApiError) => e)
      if (stop.signal.aborted) return
      if ('items' in list) setItems(list.items)
      setError('items' in list ? null : list)
      timer = setTimeout(() => setAsked((n) => n + 1), 'items' in list ? rereads : rereadsRefused)
    }
    void read()
    return () => {
      stop.abort()
      clearTimeout(timer)
    }
  }, [path, of, asked])
  return { items, error, again: () => setAsked(asked + 1) }
}

/** useForks reads the forks of the main cluster, whichever cluster the page shows. */
export const useForks = (): Listing<Fork> => useListing<Fork>(forksPath, '')

/** useSnapshots reads the snapshots, which all clusters of a server share. */
export const useSnapshots = (): Listing<Snapshot> => useListing<Snapshot>(snapshotsPath, base.fork)

/**
 * clusterHref is the address of a page in another cluster of the same server: in a fork, or in the
 * main cluster for ''.
 */
export function clusterHref(fork: string, r: Route): string {
  const { at: _, ...query } = r.query
  const ui = fork === base.fork ? base.ui : `${apiOf(fork)}/ui/`
  return ui + formatRoute({ ...r, query })
}
