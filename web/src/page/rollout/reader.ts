import { pause, sleep } from '../../api/feed'
import { ApiError, getJSON } from '../../api/http'
import type { Form, LogChange } from './change'
import { thin } from './history'

interface Page {
  readonly items: readonly LogChange[]
  readonly next?: number
}

/**
 * perObject is how many changes of an object are kept; they are read in pages of pageSize, at most
 * pagesBack of them for the past.
 */
const [perObject, pageSize, pagesBack] = [1500, 500, 4]

/** settle is how long changes are collected before the log is read, in milliseconds. */
const settle = 150

interface Known<S> {
  /** Everything up to this revision has been read; 0 is nothing. */
  upTo: number
  wanted: number
  /** Whether it has been deleted and its end has been requested. */
  ended: boolean
  readonly resource: string
  samples: readonly S[]
}

/** Wanted is an object and its newest known version. */
export interface Wanted {
  readonly uid: string
  readonly version: number
  readonly resource: string
}

/**
 * Reader reads the log of some objects on demand, and keeps a bounded number of changes of each.
 */
export class Reader<S extends { readonly revision: number }> {
  samples: readonly S[] = []
  readonly done = new Set<string>()
  loading = true
  error: ApiError | null = null
  /** The revision at which it ends; null for now. */
  readonly moment: number | null
  readonly #tell: () => void
  readonly #form: Form<S>
  readonly #stop = new AbortController()
  readonly #known = new Map<string, Known<S>>()
  #running = false

  constructor(form: Form<S>, moment: number | null, tell: () => void) {
    this.#form = form
    this.moment = moment
    this.#tell = tell
  }

  stop(): void {
    this.#stop.abort()
  }

  /**
   * want sets which objects exist, and in which version. A deleted one is read once more, for its
   * end.
   */
  want(all: readonly Wanted[]): void {
    const present = new Set(all.map((w) => w.uid))
    for (const { uid, version, resource } of all) {
      const known = this.#known.get(uid)
      if (!known) this.#known.set(uid, { upTo: 0, wanted: version, ended: false, resource, samples: [] })
      else known.wanted = Math.max(known.wanted, version)
    }
    for (const [uid, known] of this.#known) {
      if (present.has(uid) || known.ended) continue
      known.ended = true
      known.wanted = Math.max(known.wanted, known.upTo + 1)
    }
    if (!this.#running) void this.#run()
  }

  async #run(): Promise<void> {
    this.#running = true
    for (let failures = 0; !this.#stop.signal.aborted; ) {
      const behind = [...this.#known.values()].some((k) => k.wanted > k.upTo)
      if (!behind) break
      if (this.samples.length > 0) await sleep(settle, this.#stop.signal)
      try {
        for (const [uid, k] of this.#known) if (k.wanted > k.upTo) await this.#read(uid, k)
        this.error = null
        failures = 0
      } catch (e) {
        if (this.#stop.signal.aborted) break
        this.error = e instanceof ApiError ? e : new ApiError({ message: String(e) }, 0)
      }
      this.samples = [...this.#known.values()].flatMap((k) => k.samples)
      this.loading = false
      this.#tell()
      if (this.error) await pause(failures++, this.#stop.signal, this.error.code)
    }
    this.#running = false
  }

  async #read(uid: string, known: Known<S>): Promise<void> {
    const wanted = known.wanted
    const { found, next } = await this.#changes(uid, known).catch((e: unknown) => {
      // The log has been compacted past what was read: read everything that is retained again. What
      // was read before may not lead to it, because changes in between may be lost.
      if (!(e instanceof ApiError) || e.code !== 410 || known.upTo === 0) throw e
      known.upTo = 0
      known.samples = []
      return this.#changes(uid, known)
    })
    const all = new Map([...known.samples, ...found].map((s) => [s.revision, s]))
    const samples = [...all.values()].sort((a, b) => a.revision - b.revision)
    known.samples = thin(samples, perObject, ...this.#form.numbers)
    // The wanted version has been read, even if the log no longer contains it, unless there are
    // more pages.
    known.upTo = known.upTo > 0 && next !== undefined ? next : Math.max(wanted, samples.at(-1)?.revision ?? 0)
    this.done.add(uid)
  }

  /**
   * changes reads some pages: the first time the newest ones, so that the oldest are omitted; later
   * new changes, in order.
   */
  async #changes(uid: string, known: Known<S>): Promise<{ found: S[]; next: number | undefined }> {
    const found: S[] = []
    const last = this.moment === null ? undefined : this.moment + 1
    let next: number | undefined = known.upTo > 0 ? known.upTo : undefined
    for (let page = 0; page < pagesBack; page++) {
      const range = known.upTo > 0 ? { after: next } : { newest: true, before: next ?? last }
      const answer: Page = await getJSON<Page>('/rowlock/v1/changes', {
        signal: this.#stop.signal,
        query: { uid, resource: known.resource, bodies: true, limit: pageSize, ...range },
      })
      for (const item of answer.items) {
        const sample = this.#form.sampleOf(item)
        if (sample) found.push(sample)
      }
      next = answer.next
      if (next === undefined) break
    }
    return { found, next }
  }
}
