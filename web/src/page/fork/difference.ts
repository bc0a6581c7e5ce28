import { useEffect, useState } from 'preact/hooks'
import type { ApiError } from '../../api/http'
import type { KubeObject } from '../../api/object'
import { readJSON } from '../../api/read'
import { collectionPath, type Resource } from '../../api/resource'
import { type Difference, differencesOf, type Identity } from './differ'

/**
 * mostPages bounds how many pages of a kind are read from each cluster; pageSize is the size of a
 * page.
 */
const mostPages = 20
const pageSize = 500

/** atOnce is how many kinds are read at the same time. */
const atOnce = 4

/** noisy are kinds that differ within seconds between any two clusters, whatever users do. */
const noisy: ReadonlySet<string> = new Set(['events', 'events.events.k8s.io', 'leases.coordination.k8s.io'])

/** comparable reports whether a kind is stored and worth comparing. */
export const comparable = (r: Resource): boolean => r.verbs.includes('watch') && r.verbs.includes('list') && !noisy.has(r.id)

/** KindDifference holds the differences among the objects of one kind. */
export interface KindDifference {
  readonly resource: Resource
  readonly all: readonly Difference[]
  /** Whether there were more objects than were read. */
  readonly cut: boolean
  readonly error?: ApiError
}

const metadata = 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io'

interface Page {
  readonly metadata: { readonly continue?: string }
  readonly items: readonly { readonly metadata: Identity }[]
}

async function identities(r: Resource, of: string, ns: string, signal: AbortSignal): Promise<{ all: Identity[]; cut: boolean }> {
  const all: Identity[] = []
  let next: string | undefined
  for (let i = 0; i < mostPages; i++) {
    const page = await readJSON<Page>(collectionPath(r, ns), {
      accept: metadata,
      of,
      signal,
      query: { limit: pageSize, continue: next, omitManagedFields: true },
    })
    for (const { metadata: m } of page.items) all.push(m)
    next = page.metadata.continue || undefined
    if (next === undefined) return { all, cut: false }
  }
  return { all, cut: true }
}

async function differenceOf(r: Resource, fork: string, ns: string, since: number, signal: AbortSignal): Promise<KindDifference> {
  try {
    const [origin, forked] = await Promise.all([identities(r, '', ns, signal), identities(r, fork, ns, signal)])
    return { resource: r, all: differencesOf(origin.all, forked.all, since), cut: origin.cut || forked.cut }
  } catch (e) {
    return { resource: r, all: [], cut: false, error: e as ApiError }
  }
}

/** Progress is the result of a comparison so far. */
export interface Progress {
  readonly kinds: readonly KindDifference[]
  readonly done: number
  readonly of: number
}

/**
 * useDifference compares a fork with its origin, kind by kind: once, and again when `asked`
 * changes. It does not start while `since` is undefined.
 */
export function useDifference(all: readonly Resource[], fork: string, ns: string, since: number | undefined, asked: number): Progress {
  const [progress, setProgress] = useState<Progress>({ kinds: [], done: 0, of: all.length })
  const which = all.map((r) => r.id).join()
  useEffect(() => {
    if (since === undefined) return
    const stop = new AbortController()
    const left = [...all]
    let kinds: KindDifference[] = []
    let done = 0
    setProgress({ kinds, done, of: all.length })
    const work = async () => {
      for (let r = left.shift(); r && !stop.signal.aborted; r = left.shift()) {
        const one = await differenceOf(r, fork, ns, since, stop.signal)
        if (stop.signal.aborted) return
        done++
        if (one.all.length > 0 || one.cut || one.error) {
          kinds = [...kinds, one].sort((a, b) => a.resource.kind.localeCompare(b.resource.kind))
        }
        setProgress({ kinds, done, of: all.length })
      }
    }
    for (let i = 0; i < atOnce; i++) void work()
    return () => stop.abort()
  }, [which, fork, ns, since, asked])
  return progress
}

/** readIn reads an object in one of the clusters. */
export const readIn = (of: string, path: string, signal: AbortSignal): Promise<KubeObject> =>
  readJSON<KubeObject>(path, { of, signal, query: { omitManagedFields: true } })
