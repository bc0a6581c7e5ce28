import { type Signal, signal } from '@preact/signals'
import { type ApiError, send } from '../../api/http'
import { linesOf } from '../../api/lines'
import { objectPath, type Resource } from '../../api/resource'
import { type Line, merge, splitLine } from './line'

/** Asked is which log is read. */
export interface Asked {
  readonly pods: Resource
  readonly namespace: string
  readonly pod: string
  readonly container: string
  /** The log of the container before its last restart. */
  readonly previous: boolean
  /** Whether to go on with what will be written. */
  readonly follow: boolean
  /** The time after which nothing is shown; '' for none. As the server writes times. */
  readonly until: string
}

/** mostLines is how many lines a view keeps, and how many of each container's it begins with. */
const mostLines = 5_000
const firstLines = 1_000

/**
 * Lines are what a view shows: of one container or of several, merged by time. `changed` counts at most once a frame. Memory is bounded, however
 * much is written.
 */
export class Lines {
  readonly changed: Signal<number> = signal(0)
  kept: readonly Line[] = []
  /** How many lines have been dropped from the beginning. */
  dropped = 0
  #next = 0
  #fresh: Line[] = []
  #frame = 0
  readonly #stop = new AbortController()

  /** read adds a container's log, until it ends or the view is closed. A refusal is thrown. */
  async read(a: Asked): Promise<void> {
    try {
      const answer = await send(objectPath(a.pods, a.namespace, a.pod, 'log'), {
        accept: '*/*',
        signal: this.#stop.signal,
        query: {
          container: a.container,
          timestamps: true,
          tailLines: firstLines,
          previous: a.previous || undefined,
          follow: a.follow || undefined,
        },
      })
      for await (const raw of linesOf(answer)) {
        for (const r of raw) {
          const { at, text } = splitLine(r)
          if (a.until !== '' && at > a.until) return
          this.#add({ container: a.container, at, text })
        }
      }
    } catch (e) {
      if (!this.#stop.signal.aborted) throw e as ApiError
    }
  }

  /** remark adds a line of the dashboard's own after the newest. */
  remark(container: string, text: string): void {
    const at = this.#fresh.at(-1)?.at ?? this.kept.at(-1)?.at ?? ''
    this.#add({ container, at, text, remark: true })
  }

  /** close ends what is being read. */
  close(): void {
    this.#stop.abort()
    if (this.#frame !== 0) cancelAnimationFrame(this.#frame)
  }

  #add(l: Omit<Line, 'id'>): void {
    this.#fresh.push({ ...l, id: this.#next++ })
    if (this.#fresh.length > 2 * mostLines) this.#settle() // nobody looks: frames do not come to a page in the background
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
