import { effect, signal } from '@preact/signals'
import { failureOf } from '../act/failure'
import { follow } from '../api/bundle'
import { pause, sleep } from '../api/feed'
import { ApiError, getJSON } from '../api/http'
import { readJSON } from '../api/read'
import { whileAllowed } from '../api/session'
import { hear } from '../time/now'
import { type Clock, reading, timeOf } from './clock'

const path = '/rowlock/v1/clock'

/** shown is how many due syncs are listed. */
const shown = 50

/** take stores a reading of the clock. */
export function take(clock: Clock): void {
  reading.value = { clock, read: performance.now() }
}

async function keepClock(signal: AbortSignal): Promise<void> {
  for (let failures = 0; !signal.aborted; ) {
    try {
      const began = performance.now()
      await follow(
        {
          path,
          query: () => ({ due: shown }),
          opened: () => {
            failures = 0
          },
          take: (lines) => {
            take(lines.at(-1) as Clock)
            return true
          },
        },
        signal,
      )
      if (performance.now() - began < 1000) await sleep(1000, signal)
    } catch (e) {
      await pause(failures++, signal, e instanceof ApiError ? e.code : 0) // the outage banner says that the server does not answer
    }
  }
}

let started = false

/** startClock follows the clock, which other clients may change. */
export function startClock(): void {
  if (started) return
  started = true
  whileAllowed(keepClock)
}

/** refresh is how long after a change, in milliseconds, the list of due syncs is read. */
const refresh = 700

/**
 * keepDue reads the due work after changes in the cluster and when the first of it becomes due,
 * until the returned function is called. It is for views of that list; the clock itself is watched.
 */
export function keepDue(): () => void {
  const stop = new AbortController()
  let timer: ReturnType<typeof setTimeout> | undefined
  let at = Number.POSITIVE_INFINITY
  const soon = (ms: number) => {
    const when = performance.now() + ms
    if (when >= at) return
    clearTimeout(timer)
    at = when
    timer = setTimeout(look, ms)
  }
  const look = () => {
    at = Number.POSITIVE_INFINITY
    readJSON<Clock>(path, { query: { due: shown }, signal: stop.signal }).then(take, () => stop.signal.aborted || soon(5_000))
  }
  const silence = hear(() => soon(refresh))
  const first = effect(() => {
    const r = reading.value
    const ms = r ? untilFirst(r.clock, timeOf(r, performance.now())) : null
    if (ms !== null) soon(Math.max(refresh, ms + 300))
  })
  return () => {
    stop.abort()
    clearTimeout(timer)
    silence()
    first()
  }
}

/** most is the maximum delay of a browser's timer, in milliseconds. */
const most = 2 ** 31 - 1

/**
 * untilFirst returns how long it is, in milliseconds of real time, until the next sync is due; null
 * if none will be.
 */
export function untilFirst(c: Clock, now: number): number | null {
  if (c.speed <= 0) return null
  const first = c.due.map((w) => Date.parse(w.at)).find((due) => due > now)
  return first === undefined ? null : Math.min(most, (first - now) / c.speed)
}

/** asking is true during a request to the clock; refused is its last error. */
export const asking = signal(false)
export const refused = signal('')

async function tell(method: string, to: string, body?: unknown): Promise<void> {
  asking.value = true
  refused.value = ''
  try {
    take(await getJSON<Clock>(to, { method, query: { due: shown }, ...(body === undefined ? {} : { body }) }))
  } catch (e) {
    refused.value = failureOf(e)
  } finally {
    asking.value = false
  }
}

export const pauseClock = (paused: boolean): Promise<void> => tell('POST', path, { paused })
export const setSpeed = (speed: number): Promise<void> => tell('POST', path, { speed })
export const advanceBy = (by: string): Promise<void> => tell('POST', path, { advance: { by } })
export const advanceToNext = (): Promise<void> => tell('POST', path, { advance: { toNext: true } })
export const interrupt = (): Promise<void> => tell('DELETE', `${path}/advance`)
