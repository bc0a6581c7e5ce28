import { useEffect, useState } from 'preact/hooks'
import type { ApiError } from '../../api/http'
import type { Own } from '../../api/own'
import { readJSON } from '../../api/read'
import { apiOf, base } from '../../base'
import { formatRoute, type Route } from '../../route'

/** Fork is a cluster that was made from another's state. Source: Rowlock's operation GET /rowlock/v1/forks. */
export type Fork = Own<'Fork'>

/** Snapshot is a state, or a range of the log, that is kept. Source: Rowlock's operation GET /rowlock/v1/snapshots. */
export type Snapshot = Own<'Snapshot'>

export const forksPath = '/rowlock/v1/forks'
export const snapshotsPath = '/rowlock/v1/snapshots'

/** forkPath is where one fork is served. */
export const forkPath = (name: string): string => `${forksPath}/${encodeURIComponent(name)}`

/** makeRight is the right to make a fork. */
export const makeRight = [{ verb: 'post', path: forksPath }]

/** snapshotPath is where one snapshot is served. */
export const snapshotPath = (name: string, part = ''): string => `${snapshotsPath}/${encodeURIComponent(name)}${part}`

/** Listing is a list that the server has no watch of, as it was last read; null items until then. */
export interface Listing<T> {
  readonly items: readonly T[] | null
  readonly error: ApiError | null
  readonly again: () => void
}

/** rereads is how often, in milliseconds, a list is read again while it is shown: others change it too, and forks expire. Rights change seldom. */
const rereads = 15_000
const rereadsRefused = 30_000

/** useListing reads a list, again after `again` and from time to time. */
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

/** useForks reads the forks of the cluster that forks are made from, whatever cluster the page shows. */
export const useForks = (): Listing<Fork> => useListing<Fork>(forksPath, '')

/** useSnapshots reads the snapshots, which all clusters of a server share. */
export const useSnapshots = (): Listing<Snapshot> => useListing<Snapshot>(snapshotsPath, base.fork)

/** clusterHref is the address of a page of another cluster of the same server: of a fork, or for '' of the one that forks are made from. */
export function clusterHref(fork: string, r: Route): string {
  const { at: _, ...query } = r.query
  const ui = fork === base.fork ? base.ui : `${apiOf(fork)}/ui/`
  return ui + formatRoute({ ...r, query })
}
