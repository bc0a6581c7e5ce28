import { type Signal, signal } from '@preact/signals'
import { follow, type Stream } from './bundle'
import { ApiError, getJSON } from './http'
import { mustWait, untilBack } from './link'
import type { Meta } from './object'

/** Item is an element of a feed, identified by its uid. */
export interface Item {
  readonly meta: Meta
}

/**
 * Form is a representation of a collection, as whole objects or as a table. It converts responses
 * to items.
 */
export interface Form<T extends Item> {
  readonly accept: string
  /** items returns the items of a page of a LIST. */
  items(page: Page): T[]
  /** item returns the item of a watch event. */
  item(object: never): T | undefined
}

/** Page is what all forms of a LIST have in common. */
export interface Page {
  readonly metadata?: { readonly resourceVersion?: string; readonly continue?: string; readonly remainingItemCount?: number }
}

/** Source says which collection is read, and at which revision. */
export interface Source {
  readonly path: string
  readonly labels?: string
  readonly fields?: string
  /** The revision that is shown, or null for now. */
  readonly at: number | null
  /** Whether the server supports watches of it. Computed resources have none. */
  readonly watch?: boolean
  /** Whether table rows include the objects. */
  readonly objects?: boolean
}

/**
 * Phase is the state of a feed. `loading`: some items may be there already. `live`: a watch keeps
 * the items current. `past`: all items are there and will not change. `stale`: the server refuses
 * or cannot be reached, see `error`; the feed retries.
 */
export type Phase = 'loading' | 'live' | 'past' | 'stale'

interface WatchEvent {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK' | 'ERROR'
  readonly object: never
}

const pageSize = 500

/** again is how often, in milliseconds, a resource without watches is listed again. */
const again = 15_000

/**
 * loading is the number of feeds of the past that are being loaded; steps through time wait for
 * them.
 */
export const loading: Signal<number> = signal(0)

/** expired counts the reads of the past that failed because the log has been compacted. */
export const expired: Signal<number> = signal(0)

/**
 * Feed mirrors a collection with a paginated LIST followed by a watch.
 *
 * `changed` increases at most once per frame of the display, however much arrives, so that derived
 * values are computed only as often as they can be seen. Memory is bounded by the existing items.
 */
export class Feed<T extends Item> {
  readonly changed: Signal<number> = signal(0)
  readonly phase: Signal<Phase> = signal('loading')
  readonly error: Signal<ApiError | null> = signal(null)
  /** How many more items the server has announced, while they are loaded. */
  readonly remaining: Signal<number> = signal(0)
  /** The newest revision that the items reflect. */
  revision = ''
  items: ReadonlyMap<string, T> = new Map()

  #stop = new AbortController()
  #frame = 0
  readonly #form: Form<T>
  readonly #source: Source

  constructor(form: Form<T>, source: Source) {
    this.#form = form
    this.#source = source
    void this.#run()
  }

  /** close ends the feed. Its items stay as they are. */
  close(): void {
    this.#stop.abort()
    if (this.#frame !== 0) cancelAnimationFrame(this.#frame)
  }

  async #run(): Promise<void> {
    let listed = false
    for (let failures = 0; !this.#stop.signal.aborted; ) {
      try {
        if (!listed) await this.#counted(() => this.#load())
        listed = true
        if (this.#source.at !== null) {
          this.phase.value = 'past'
          return
        }
        if (this.#source.watch === false) {
          failures = 0
          this.phase.value = 'live'
          await sleep(again, this.#stop.signal)
        } else {
          await this.#follow(() => {
            failures = 0
          })
        }
        listed = false
      } catch (e) {
        if (this.#stop.signal.aborted) return
        this.error.value = e instanceof ApiError ? e : new ApiError({ message: String(e) }, 0)
        this.phase.value = 'stale'
        if (fromElsewhere(this.error.value)) listed = false
        if (this.error.value.code === 410 && this.#source.at !== null) expired.value++
        if (hopeless(this.error.value, this.#source)) return
        await pause(failures++, this.#stop.signal, this.error.value.code)
      }
    }
  }

  /** counted counts a load of the past while it lasts. */
  async #counted(load: () => Promise<void>): Promise<void> {
    if (this.#source.at === null) return load()
    loading.value++
    try {
      await load()
    } finally {
      loading.value--
    }
  }

  /**
   * load lists the collection. The first time, items appear as they arrive; later, they replace the
   * old ones once all are there.
   */
  async #load(): Promise<void> {
    const { path, labels, fields, at, objects } = this.#source
    const first = this.items.size === 0
    const fresh = new Map<string, T>()
    if (first) this.items = fresh
    let next: string | undefined
    do {
      const moment = at !== null && next === undefined ? { resourceVersion: at, resourceVersionMatch: 'Exact' } : {}
      const page = await getJSON<Page>(path, {
        accept: this.#form.accept,
        signal: this.#stop.signal,
        query: {
          limit: pageSize,
          continue: next,
          labelSelector: labels,
          fieldSelector: fields,
          omitManagedFields: true,
          includeObject: objects ? 'Object' : '',
          ...moment,
        },
      })
      for (const item of this.#form.items(page)) fresh.set(item.meta.uid, item)
      next = page.metadata?.continue || undefined
      this.revision = page.metadata?.resourceVersion ?? ''
      this.remaining.value = page.metadata?.remainingItemCount ?? 0
      if (first) this.#announce()
    } while (next !== undefined)
    this.items = fresh
    this.error.value = null
    this.#announce()
  }

  /**
   * follow watches until the server says that the revision is too old to continue, which is not a
   * failure. After a failure it is called again and continues where it was.
   */
  async #follow(opened: () => void): Promise<void> {
    const { path, labels, fields, objects } = this.#source
    for (;;) {
      let goesOn = true
      let since = performance.now()
      const stream: Stream = {
        path,
        accept: this.#form.accept,
        query: () => ({
          allowWatchBookmarks: true,
          resourceVersion: this.revision,
          labelSelector: labels,
          fieldSelector: fields,
          omitManagedFields: true,
          includeObject: objects ? 'Object' : '',
        }),
        opened: () => {
          opened()
          this.phase.value = 'live'
          this.error.value = null
          since = performance.now()
        },
        take: (events) => {
          goesOn = events.every((e) => this.#take(e as WatchEvent))
          this.#announce()
          return goesOn
        },
      }
      try {
        await follow(stream, this.#stop.signal)
      } catch (e) {
        if (e instanceof ApiError && e.code === 410) return
        throw e
      }
      if (!goesOn || this.#stop.signal.aborted) return
      // A watch ends now and then and is continued; do not spin if it ends at once.
      if (performance.now() - since < 1000) await sleep(1000, this.#stop.signal)
    }
  }

  /** take applies one event, and returns whether the watch can continue. */
  #take(e: WatchEvent): boolean {
    if (e.type === 'ERROR') return false
    const item = this.#form.item(e.object)
    if (!item) return true
    this.revision = item.meta.resourceVersion || this.revision
    if (e.type === 'BOOKMARK') return true
    const items = this.items as Map<string, T>
    if (e.type === 'DELETED') items.delete(item.meta.uid)
    else items.set(item.meta.uid, item)
    return true
  }

  #announce(): void {
    if (this.#frame !== 0) return
    this.#frame = requestAnimationFrame(() => {
      this.#frame = 0
      this.changed.value++
    })
  }
}

/**
 * hopeless reports whether a retry cannot help: the moment is compacted for good, or the request is
 * invalid.
 */
function hopeless(e: ApiError, s: Source): boolean {
  return e.code === 400 || (e.code === 410 && s.at !== null)
}

/**
 * fromElsewhere reports whether the server never had the requested revision, because it was
 * restarted without its data.
 */
const fromElsewhere = (e: ApiError): boolean => e.status.details?.causes?.some((c) => c.reason === 'ResourceVersionTooLarge') ?? false

/** backoff is how long to wait, in milliseconds, after a number of failures. */
export function backoff(failures: number): number {
  return Math.min(500 * 2 ** Math.min(failures, 10), 15_000)
}

/**
 * refusedPause is how long, in milliseconds, to wait before retrying a read that was forbidden:
 * rights may change.
 */
const refusedPause = 30_000

/**
 * pause waits before the next attempt, by the number of failures; during an outage it waits for its
 * end. `code` is the status code of the failure.
 */
export async function pause(failures: number, signal: AbortSignal, code = 0): Promise<void> {
  if (!mustWait()) await sleep(code === 403 ? refusedPause : backoff(failures), signal)
  await untilBack(signal)
}

/** sleep waits for some time, or until the signal aborts. */
export function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((done) => {
    const end = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', end) // the signal may outlive very many sleeps
      done()
    }
    const timer = setTimeout(end, ms)
    signal.addEventListener('abort', end)
  })
}
