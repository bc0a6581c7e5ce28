import { useEffect, useRef, useState } from 'preact/hooks'
import { sleep } from '../../api/feed'
import { type ApiError, getJSON } from '../../api/http'
import type { KubeObject } from '../../api/object'
import { availableOf, type LogChange, type Sample, sampleOf, thin } from './history'

/** Past is what the log tells of a Deployment and its ReplicaSets. */
export interface Past {
  readonly samples: readonly Sample[]
  /** Objects of which the log has been read, whether or not it tells of them. */
  readonly read: ReadonlySet<string>
  readonly loading: boolean
  readonly error: ApiError | null
}

interface Page {
  readonly items: readonly LogChange[]
  readonly next?: number
}

/** perObject is how many changes of one object are kept; pages of so many are asked for at once, and no more than so many pages of the past. */
const [perObject, pageSize, pagesBack] = [1500, 500, 4]

/** settle is how long changes are let come together before the log is read, in milliseconds. */
const settle = 150

/**
 * usePast reads what became of objects out of the log, once when they appear and again whenever one of them has changed: that a watch tells,
 * the log then says when it was and what came between. It keeps a bounded number of changes of each.
 */
export function usePast(resourceOf: (o: KubeObject) => string, objects: readonly KubeObject[], moment: number | null): Past {
  const reader = useRef<Reader | null>(null)
  const [, redraw] = useState(0)
  if (reader.current?.moment !== moment) {
    reader.current?.stop()
    reader.current = new Reader(moment, () => redraw((n) => n + 1))
  }
  const now = reader.current
  const versions = objects.map((o) => `${o.metadata.uid}@${o.metadata.resourceVersion}`).join()
  useEffect(() => now?.want(objects.map((o) => [o.metadata.uid, Number(o.metadata.resourceVersion), resourceOf(o)])), [now, versions])
  useEffect(
    () => () => {
      reader.current?.stop()
      reader.current = null
    },
    [],
  )
  return { samples: now?.samples ?? [], read: now?.done ?? new Set(), loading: now?.loading ?? true, error: now?.error ?? null }
}

/** Reader reads the log of some objects as far as it is asked to. */
class Reader {
  samples: readonly Sample[] = []
  readonly done = new Set<string>()
  loading = true
  error: ApiError | null = null
  readonly moment: number | null
  readonly #tell: () => void
  readonly #stop = new AbortController()
  readonly #known = new Map<string, { upTo: number; wanted: number; resource: string; samples: readonly Sample[] }>()
  #running = false

  constructor(moment: number | null, tell: () => void) {
    this.moment = moment
    this.#tell = tell
  }

  stop(): void {
    this.#stop.abort()
  }

  /** want says which objects there are, and in which version. One that is there no longer is read once more, for its end. */
  want(all: readonly (readonly [uid: string, version: number, resource: string])[]): void {
    const present = new Set(all.map(([uid]) => uid))
    for (const [uid, version, resource] of all) {
      const known = this.#known.get(uid)
      if (!known) this.#known.set(uid, { upTo: 0, wanted: version, resource, samples: [] })
      else known.wanted = Math.max(known.wanted, version)
    }
    for (const [uid, known] of this.#known) if (!present.has(uid) && known.wanted <= known.upTo) known.wanted = known.upTo + 1
    if (!this.#running) void this.#run()
  }

  async #run(): Promise<void> {
    this.#running = true
    for (let first = true; !this.#stop.signal.aborted; first = false) {
      const behind = [...this.#known].filter(([, k]) => k.wanted > k.upTo)
      if (behind.length === 0) break
      if (!first || this.samples.length > 0) await sleep(settle, this.#stop.signal)
      try {
        for (const [uid] of behind) await this.#read(uid)
        this.error = null
      } catch (e) {
        if (this.#stop.signal.aborted) break
        this.error = e as ApiError
        this.loading = false
        this.#tell()
        break // the next change has it tried again
      }
      this.samples = [...this.#known.values()].flatMap((k) => k.samples)
      this.loading = false
      this.#tell()
    }
    this.#running = false
  }

  async #read(uid: string): Promise<void> {
    const known = this.#known.get(uid)
    if (!known) return
    const found: Sample[] = []
    let next: number | undefined = known.upTo > 0 ? known.upTo : undefined
    for (let page = 0; page < pagesBack; page++) {
      // The first time the newest come first, so that it is the oldest that are left out; later what is new, in its order.
      const range: Record<string, number | boolean | undefined> =
        known.upTo > 0 ? { after: next } : { newest: true, before: next ?? (this.moment === null ? undefined : this.moment + 1) }
      const answer = await getJSON<Page>('/rowlock/v1/changes', {
        signal: this.#stop.signal,
        query: { uid, resource: known.resource, bodies: true, limit: pageSize, ...range },
      })
      for (const item of answer.items) {
        const sample = sampleOf(item)
        if (sample) found.push(sample)
      }
      next = answer.next
      if (next === undefined) break
    }
    const samples = [...known.samples, ...found].sort((a, b) => a.revision - b.revision)
    known.samples = thin(
      samples,
      perObject,
      (s) => s.set?.wanted ?? 0,
      (s) => (s.set ? availableOf(s.set) : 0),
    )
    // What was wanted has been read, even where the log is compacted past it.
    known.upTo = Math.max(known.wanted, samples.at(-1)?.revision ?? 0)
    this.done.add(uid)
  }
}
