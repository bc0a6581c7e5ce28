import { type Signal, signal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { clusterNow } from '../clock/clock'
import { at } from '../route'
import { judgedWhole } from '../verdict/state'
import { Feed, type Form, type Item, type Phase, type Source } from './feed'
import { type Column, type Row, tableForm, type Whole, wholeForm } from './form'
import type { ApiError } from './http'
import type { KubeObject } from './object'
import { collectionPath, type Resource } from './resource'

/** Selection says which objects of a kind a page shows. */
export interface Selection {
  readonly resource: Resource
  readonly namespace?: string | undefined
  readonly labels?: string | undefined
  readonly fields?: string | undefined
  /** The revision to show in place of the one in the address; null means now. */
  readonly at?: number | null
}

/**
 * Reading is a page's view of a feed. It reads signals, so components that call the hook are
 * rendered again on changes.
 */
export interface Reading<T extends Item> {
  readonly items: ReadonlyMap<string, T>
  readonly phase: Phase
  readonly error: ApiError | null
  readonly remaining: number
  /** Increases with every change; computations over the items depend on it. */
  readonly changed: number
}

interface Shared {
  readonly feed: Feed<Item>
  readonly columns: Signal<readonly Column[]>
  readonly at: number | null
  readonly resource: Resource
  users: number
}

/** feeds are the open feeds, by what they read: pages that read the same share one watch. */
const feeds = new Map<string, Shared>()

/**
 * linger is how long a feed outlives its last user, in milliseconds, so that going back to a page
 * does not load it again.
 */
const linger = 5_000
const lingerPast = 500

function acquire(key: string, form: 'table' | 'whole', source: Source, resource: Resource): Shared {
  const old = feeds.get(key)
  if (old) {
    old.users++
    return old
  }
  const columns = signal<readonly Column[]>([])
  const of: Form<Item> = form === 'table' ? tableForm((all) => (columns.value = all), clusterNow, source.objects) : wholeForm()
  const made: Shared = { feed: new Feed(of, source), columns, at: source.at, resource, users: 1 }
  feeds.set(key, made)
  return made
}

function release(key: string): void {
  const shared = feeds.get(key)
  if (!shared) return
  shared.users--
  const close = () => {
    if (shared.users > 0 || feeds.get(key) !== shared) return
    feeds.delete(key)
    shared.feed.close()
  }
  // A moment that was passed before it was loaded is not awaited, and loaded ones are not kept:
  // there may be hundreds.
  if (shared.at !== null && shared.feed.phase.peek() === 'loading') queueMicrotask(close)
  else setTimeout(close, shared.at === null ? linger : lingerPast)
}

/**
 * inMemory returns the objects that pages have read at a moment, or now for null. An object may be
 * there twice.
 */
export function inMemory(moment: number | null): { resource: Resource; meta: Item['meta'] }[] {
  const open = [...feeds.values()].filter((f) => f.at === moment)
  return open.flatMap(({ feed, resource }) => [...feed.items.values()].map(({ meta }) => ({ resource, meta })))
}

const none: ReadonlyMap<string, Item> = new Map()

/**
 * useShared reads a feed. While another moment is loaded, it keeps the items of the previous one,
 * so that stepping through time does not flicker.
 */
function useShared(form: 'table' | 'whole', s: Selection | null): { shared: Shared | undefined; items: ReadonlyMap<string, Item> } {
  const moment = s?.at === undefined ? at.value : s.at
  const source: Source | null = s && {
    path: collectionPath(s.resource, s.namespace),
    at: moment,
    watch: s.resource.verbs.includes('watch'),
    ...(s.labels ? { labels: s.labels } : {}),
    ...(s.fields ? { fields: s.fields } : {}),
    ...(form === 'table' && judgedWhole.has(s.resource.id) ? { objects: true } : {}),
  }
  const collection = source && JSON.stringify([form, source.path, source.labels, source.fields])
  const key = source && `${collection}@${source.at ?? ''}`
  const held = useRef<{ key: string; collection: string; shared: Shared; before: ReadonlyMap<string, Item> } | null>(null)
  if (held.current && held.current.key !== key) {
    const was = held.current
    release(was.key)
    held.current = null
    if (s && source && key && collection) {
      const kept = was.shared.feed.items.size > 0 ? was.shared.feed.items : was.before
      held.current = {
        key,
        collection,
        shared: acquire(key, form, source, s.resource),
        before: was.collection === collection ? kept : none,
      }
    }
  } else if (!held.current && s && source && key && collection) {
    held.current = { key, collection, shared: acquire(key, form, source, s.resource), before: none }
  }
  useEffect(
    () => () => {
      if (held.current) release(held.current.key)
      held.current = null
    },
    [],
  )
  const h = held.current
  if (!h) return { shared: undefined, items: none }
  const { feed } = h.shared
  const loading = feed.phase.value === 'loading' && h.before.size > 0
  return { shared: h.shared, items: loading ? h.before : feed.items }
}

function read<T extends Item>(form: 'table' | 'whole', s: Selection | null): Reading<T> & { columns: readonly Column[] } {
  const { shared, items } = useShared(form, s)
  return {
    items: items as ReadonlyMap<string, T>,
    phase: shared?.feed.phase.value ?? 'loading',
    error: shared?.feed.error.value ?? null,
    remaining: shared?.feed.remaining.value ?? 0,
    changed: shared?.feed.changed.value ?? 0,
    columns: shared?.columns.value ?? [],
  }
}

/** useTable reads objects as the server prints them; null reads nothing. */
export const useTable = (s: Selection | null): Reading<Row> & { columns: readonly Column[] } => read<Row>('table', s)

/** useObjects reads whole objects; null reads nothing. */
export const useObjects = <O extends KubeObject>(s: Selection | null): Reading<Whole<O>> => read<Whole<O>>('whole', s)

/**
 * useObject reads one object, live or at the moment that is shown. It is undefined if there is
 * none.
 */
export function useObject<O extends KubeObject>(
  resource: Resource | undefined,
  namespace: string,
  name: string,
): Omit<Reading<Whole<O>>, 'items'> & { object: O | undefined } {
  const all = useObjects<O>(resource && name !== '' ? { resource, namespace, fields: `metadata.name=${name}` } : null)
  const [first] = all.items.values()
  return { ...all, object: first?.object }
}
