import { computed, effect, signal } from '@preact/signals'
import { follow } from '../api/bundle'
import { expired, pause, sleep } from '../api/feed'
import { ApiError, getJSON } from '../api/http'
import type { Own } from '../api/own'
import { whileAllowed } from '../api/session'
import { moment } from '../clock/clock'
import { at } from '../route'
import { type Axis, axisOf, placeOf, type Stop, thinned, timeAt } from './axis'
import { type Change, changesPath, lastChange, type Point } from './log'

/** History is the known extent of the log. */
export interface History {
  readonly oldest: Stop
  readonly newest: Stop
  readonly stops: readonly Stop[]
}

/** history is the cluster's history; null until it is known. */
export const history = signal<History | null>(null)

/** axis places the moments of the log on a line. */
export const axis = computed<Axis>(() => axisOf(history.value?.stops ?? []))

/**
 * standing returns how long, in milliseconds, an object of this version has been unchanged at a
 * time, as far as the log is known here; otherwise 0. It does not subscribe to the log.
 */
export function standing(resourceVersion: string, now: number): number {
  const h = history.peek()
  if (!h) return 0
  const revision = Math.max(Number(resourceVersion), h.oldest.revision)
  return Math.max(0, now - timeAt(axis.peek(), placeOf(axis.peek(), revision)))
}

const stopOf = (p: Point): Stop => ({ revision: p.revision, at: Date.parse(p.at) })

/**
 * asked is how many points are requested; kept is how many there may be before every other one is
 * dropped.
 */
const asked = 300
const kept = 1200

async function load(signal: AbortSignal): Promise<void> {
  const h = await getJSON<Own<'History'>>('/rowlock/v1/history', { query: { points: asked }, signal })
  const oldest = stopOf(h.oldest)
  const newest = stopOf(h.newest)
  history.value = { oldest, newest, stops: stopsOf(oldest, h.points.map(stopOf), newest) }
}

/** stopsOf returns the stops between the ends of the log, each revision once. */
export function stopsOf(oldest: Stop, between: readonly Stop[], newest: Stop): Stop[] {
  const inner = between.filter((s) => s.revision > oldest.revision && s.revision < newest.revision)
  return newest.revision > oldest.revision ? [oldest, ...inner, newest] : [newest]
}

/** grown extends a history by some changes. */
export function grown(h: History, changes: readonly Change[]): History {
  const last = changes.at(-1)
  if (!last || last.revision <= h.newest.revision) return h
  const newest = stopOf(last)
  return { ...h, newest, stops: thinned([...h.stops, newest], kept) }
}

/**
 * reload is how often, in milliseconds, the start of the log is read again, because compaction
 * moves it.
 */
const reload = 60_000

/**
 * watchExpiry reads the start of the log again when the moment that is shown turns out to have been
 * compacted, so that the page says so at once.
 */
function watchExpiry(signal: AbortSignal): void {
  let reading = false
  const stop = expired.subscribe(() => {
    const [h, revision] = [history.peek(), at.peek()]
    if (reading || h === null || revision === null || revision < h.oldest.revision) return
    reading = true
    void load(signal)
      .catch(() => undefined)
      .finally(() => {
        reading = false
      })
  })
  signal.addEventListener('abort', stop)
}

/** keepHistory reads the extent of the log and follows the log. */
async function keepHistory(signal: AbortSignal): Promise<void> {
  watchExpiry(signal)
  for (let failures = 0; !signal.aborted; ) {
    try {
      await load(signal)
      let after = history.peek()?.newest.revision || undefined
      let loaded = performance.now()
      epoch.value++
      await follow(
        {
          path: changesPath,
          query: () => ({ after }),
          opened: () => {
            failures = 0
          },
          take: (lines) => {
            const h = history.peek()
            const changes = (lines as Change[]).filter((c) => c.revision)
            if (!h || changes.length === 0) return false
            after = changes.at(-1)?.revision
            history.value = grown(h, changes)
            for (const f of heard) f(changes)
            if (performance.now() - loaded > reload) {
              loaded = performance.now()
              void load(signal).catch(() => undefined) // the next one will succeed
            }
            return true
          },
        },
        signal,
      )
      if (performance.now() - loaded < 1000) await sleep(1000, signal)
    } catch (e) {
      if (epoch.peek() === 0) epoch.value++
      if (!(e instanceof ApiError) || e.code !== 410) await pause(failures++, signal, e instanceof ApiError ? e.code : 0)
    }
  }
}

/**
 * epoch counts how often the log has been followed from its newest revision, since changes may have
 * been missed before; 0 until then. A read after an increase, together with the changes heard
 * since, has no gap.
 */
export const epoch = signal(0)

const heard = new Set<(changes: readonly Change[]) => void>()

/**
 * hear calls f with the changes of the whole cluster as they come; it returns the function that
 * stops that.
 */
export function hear(f: (changes: readonly Change[]) => void): () => void {
  heard.add(f)
  return () => heard.delete(f)
}

/** commits maps revisions to commit times, for the revisions shown recently. */
const commits = new Map<number, number>()

/** learn records when changes were committed. */
export function learn(changes: readonly Pick<Change, 'revision' | 'at'>[]): void {
  for (const c of changes) {
    commits.set(c.revision, Date.parse(c.at))
    if (commits.size <= 2000) continue
    const [first] = commits.keys()
    commits.delete(first as number)
  }
}

/**
 * tellMoment keeps `moment` at the time of the revision that is shown. Until that is known, it
 * keeps the previous one.
 */
function tellMoment(): () => void {
  let asking = new AbortController()
  return effect(() => {
    const revision = at.value
    asking.abort()
    if (revision === null) {
      moment.value = null
      return
    }
    const known = commits.get(revision)
    if (known !== undefined) {
      moment.value = known
      return
    }
    asking = new AbortController()
    const { signal } = asking
    lastChange({}, revision + 1, signal).then(
      (c) => {
        if (signal.aborted) return
        if (c) learn([{ revision, at: c.at }])
        const oldest = history.peek()?.oldest
        moment.value = c ? Date.parse(c.at) : (oldest?.at ?? null)
      },
      () => undefined, // the outage banner says that the server does not answer
    )
  })
}

let started = false

/** startTime keeps the history and the moment, once the user may read them. */
export function startTime(): void {
  if (started) return
  started = true
  tellMoment()
  whileAllowed(keepHistory)
}
