import { type Signal, signal } from '@preact/signals'
import { follow, type Stream } from '../../api/bundle'
import { pause } from '../../api/feed'
import { ApiError } from '../../api/http'
import { readText } from '../../api/read'
import { objectPath, type Resource } from '../../api/resource'
import { type Line, merge, splitLine } from './line'

/** Asked says which log is read. */
export interface Asked {
  readonly pods: Resource
  readonly namespace: string
  readonly pod: string
  readonly container: string
  /** The log of the container before its last restart. */
  readonly previous: boolean
  /** Whether to follow the log. */
  readonly follow: boolean
  /** The time up to which lines are shown, in the server's format; '' for no limit. */
  readonly until: string
}

/** mostLines is how many lines a view keeps, and how many are first read of each container. */
const mostLines = 5_000
const firstLines = 1_000

/**
 * Lines are the lines of a view, from one or more containers, merged by time. `changed` increases
 * at most once per frame. Memory is bounded, however much is written.
 */
export class Lines {
  readonly changed: Signal<number> = signal(0)
  kept: readonly Line[] = []
  /** How many lines have been dropped from the start. */
  dropped = 0
  #next = 0
  #fresh: Line[] = []
  #frame = 0
  readonly #stop = new AbortController()

  /**
   * read adds a container's log, until it ends or the view is closed. It throws if the server
   * refuses.
   */
  async read(a: Asked): Promise<void> {
    const path = objectPath(a.pods, a.namespace, a.pod, 'log')
    const place = new Place()
    const take = (raw: readonly string[]): boolean => {
      for (const r of raw) {
        const line = splitLine(r)
        if (a.until !== '' && line.at > a.until) return false
        if (place.isNew(line.at)) this.#add({ pod: a.pod, container: a.container, ...line })
      }
      return true
    }
    const query = { container: a.container, timestamps: true, previous: a.previous || undefined }
    if (a.follow) {
      const from = () => (place.at === '' ? { tailLines: firstLines } : { sinceTime: place.at })
      let failures = 0
      const stream = {
        path,
        query: () => ({ ...query, follow: true, ...from() }),
        opened: () => {
          failures = 0
          place.again()
        },
        take: take as (lines: readonly unknown[]) => boolean,
      }
      while (!(await this.#followed(stream))) await pause(failures++, this.#stop.signal)
      return
    }
    try {
      const text = await readText(path, { signal: this.#stop.signal, query: { ...query, tailLines: firstLines } })
      take(text.split('\n').filter((l) => l !== ''))
    } catch (e) {
      if (!this.#stop.signal.aborted) throw e as ApiError
    }
  }

  /**
   * followed follows a stream, and returns whether it reached its end; false if it broke off, as it
   * does when the server stops.
   */
  async #followed(stream: Stream): Promise<boolean> {
    try {
      await follow(stream, this.#stop.signal)
      return true
    } catch (e) {
      if (e instanceof ApiError && e.code !== 0) throw e
      return this.#stop.signal.aborted
    }
  }

  /** remark adds a line of the dashboard itself after the newest. */
  remark(from: Pick<Line, 'pod' | 'container'>, text: string): void {
    const at = this.#fresh.at(-1)?.at ?? this.kept.at(-1)?.at ?? ''
    this.#add({ ...from, at, text, remark: true })
  }

  /** close ends all reads. */
  close(): void {
    this.#stop.abort()
    if (this.#frame !== 0) cancelAnimationFrame(this.#frame)
  }

  #add(l: Omit<Line, 'id'>): void {
    this.#fresh.push({ ...l, id: this.#next++ })
    if (this.#fresh.length > 2 * mostLines) this.#settle() // the page is in the background and gets no frames
    if (this.#frame !== 0) return
    this.#frame = requestAnimationFrame(() => {
      this.#frame = 0
      this.#settle()
      this.changed.value++
    })
  }

  #settle(): void {
    const merged = merge(this.kept, this.#fresh, mostLines)
    this.dropped += this.kept.length + this.#fresh.length - merged.length
    this.kept = merged
    this.#fresh = []
  }
}

/**
 * Place is how far a log has been read. When a log is followed again from the time of its last
 * line, the lines of that time are repeated; Place skips as many as were read before.
 */
export class Place {
  /** The time of the last line; '' before the first. */
  at = ''
  #count = 0 // lines of that time
  #again = 0 // how many of them are still to be repeated

  /** again marks that the log is read again from `at`. */
  again(): void {
    this.#again = this.#count
  }

  /** isNew reports whether a line has not been read before. Lines arrive in order of time. */
  isNew(at: string): boolean {
    if (at < this.at) return false // the server starts at a whole second
    if (at > this.at) {
      this.at = at
      this.#count = 0
      this.#again = 0
    } else if (this.#again > 0) {
      this.#again--
      return false
    }
    this.#count++
    return true
  }
}
