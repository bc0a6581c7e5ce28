import { useEffect, useState } from 'preact/hooks'
import { accessTo, askAccess, may } from '../../act/may'
import type { Meta } from '../../api/object'
import { readJSON } from '../../api/read'
import { collectionPath, type Resource, resources } from '../../api/resource'
import { inMemory } from '../../api/use'
import { at } from '../../route'

/** Found is an object of a kind. */
export interface Found {
  readonly resource: Resource
  readonly meta: Pick<Meta, 'name' | 'namespace' | 'uid'>
}

/**
 * searched are the kinds whose objects are read. Objects of other kinds, except Events, are found
 * while a page has them in memory.
 */
const searched = [
  'namespaces',
  'nodes',
  'deployments.apps',
  'statefulsets.apps',
  'daemonsets.apps',
  'cronjobs.batch',
  'jobs.batch',
  'services',
  'ingresses.networking.k8s.io',
  'configmaps',
  'persistentvolumeclaims',
  'horizontalpodautoscalers.autoscaling',
  'replicasets.apps',
  'pods',
]

/** mostOfKind is how many objects of a kind are read, atOnce how many kinds at the same time. */
export const mostOfKind = 500
const atOnce = 4

const metadata = 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io'

interface Page {
  readonly metadata: { readonly continue?: string }
  readonly items: readonly { readonly metadata: Meta }[]
}

/**
 * Searched is what has been found so far; `cut` says whether a kind has more objects than are read.
 */
export interface Searched {
  readonly all: readonly Found[]
  readonly cut: boolean
  readonly done: boolean
}

/**
 * useFound reads the objects once, at the moment that is shown: in all namespaces or, if that is
 * forbidden, in the current one.
 */
export function useFound(namespace: string): Searched {
  const [state, setState] = useState<Searched>({ all: [], cut: false, done: false })
  useEffect(() => {
    const stop = new AbortController()
    void search(namespace, stop.signal, setState)
    return () => stop.abort()
  }, [])
  return state
}

async function search(namespace: string, signal: AbortSignal, tell: (s: Searched) => void): Promise<void> {
  const byId = new Map<string, readonly Found[]>()
  let cut = false
  const known = inMemory(at.peek()).filter((f) => f.resource.kind !== 'Event')
  const said = (done: boolean) => {
    const all = new Map<string, Found>()
    for (const f of [...searched.flatMap((id) => byId.get(id) ?? []), ...known]) all.set(`${f.resource.id}/${f.meta.uid}`, f)
    if (!signal.aborted) tell({ all: [...all.values()], cut, done })
  }
  const left = searched.flatMap((id) => resources.peek().get(id) ?? [])
  said(false)
  if (at.peek() === null) await askAccess(left.map((r) => accessTo('list', r, undefined)))
  const work = async () => {
    for (let r = left.shift(); r && !signal.aborted; r = left.shift()) {
      const page = await read(r, namespace, signal)
      byId.set(r.id, page.items)
      cut ||= page.cut
      said(false)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  said(true)
}

/** read reads the names of a kind's objects. Kinds that cannot be read have none. */
async function read(r: Resource, namespace: string, signal: AbortSignal): Promise<{ items: Found[]; cut: boolean }> {
  const everywhere = may([accessTo('list', r, undefined)]) !== false
  if (!everywhere && (!r.namespaced || namespace === '')) return { items: [], cut: false }
  const revision = at.peek()
  const moment = revision === null ? {} : { resourceVersion: revision, resourceVersionMatch: 'Exact' }
  try {
    const page = await readJSON<Page>(collectionPath(r, everywhere ? '' : namespace), {
      accept: metadata,
      signal,
      query: { limit: mostOfKind, omitManagedFields: true, ...moment },
    })
    const items = page.items.map(({ metadata: m }) => ({ resource: r, meta: m }))
    return { items, cut: (page.metadata.continue ?? '') !== '' }
  } catch {
    return { items: [], cut: false }
  }
}
