import { signal } from '@preact/signals'
import { base } from '../base'

/**
 * Outage is a period in which the server does not answer. `since` and `next` are in milliseconds of
 * the browser's monotonic time (performance.now), `at` is the browser's wall clock at the start.
 */
export interface Outage {
  readonly since: number
  readonly at: number
  /** When the server is asked next. */
  readonly next: number
}

/**
 * outage is the current outage, null while the server answers. One place asks whether the server is
 * back; all others wait for it.
 */
export const outage = signal<Outage | null>(null)

/** longestPause is the maximum time between two attempts to reach the server, in milliseconds. */
const longestPause = 5_000

/**
 * pauseBefore is how long to wait, in milliseconds, before the server is asked again. `chance`,
 * from 0 to 1, spreads the attempts of several pages.
 */
export function pauseBefore(tries: number, chance: number): number {
  return Math.round(Math.min(500 * 2 ** Math.min(tries, 10), longestPause) * (0.8 + 0.2 * chance))
}

let timer: ReturnType<typeof setTimeout> | undefined
let tries = 0
let waiting: (() => void)[] = []
/**
 * ending counts outages that have ended while the requests registered with beforeOthers are still
 * running.
 */
let ending = 0
const firsts: (() => Promise<unknown>)[] = []

/**
 * beforeOthers registers a request to make at the end of every outage before everything that waits
 * continues.
 */
export function beforeOthers(ask: () => Promise<unknown>): void {
  firsts.push(ask)
}

/** lost reports that a request did not reach the server. */
export function lost(): void {
  if (outage.peek() !== null) return
  tries = 0
  const now = performance.now()
  outage.value = { since: now, at: Date.now(), next: now }
  again()
}

/**
 * answered reports that the server has answered, whatever the answer. It ends an outage and all
 * waiting.
 */
export function answered(): void {
  if (outage.peek() === null) return
  clearTimeout(timer)
  outage.value = null
  ending++
  void Promise.allSettled(firsts.map((ask) => ask())).then(() => {
    ending--
    if (mustWait()) return // a new outage has started
    const all = waiting
    waiting = []
    for (const done of all) done()
  })
}

function again(): void {
  const began = outage.peek()
  if (began === null) return
  const ms = pauseBefore(tries++, Math.random())
  outage.value = { ...began, next: performance.now() + ms }
  clearTimeout(timer)
  timer = setTimeout(() => void tryNow(), ms)
}

/** patience is how long, in milliseconds, to wait for the server's answer. */
const patience = 5_000

let trying: Promise<void> | null = null

/**
 * tryNow asks at once whether the server answers; concurrent calls share one request. It starts or
 * ends an outage.
 */
export function tryNow(): Promise<void> {
  trying ??= ask().finally(() => {
    trying = null
  })
  return trying
}

async function ask(): Promise<void> {
  clearTimeout(timer)
  if (await answers()) answered()
  else if (outage.peek() === null) lost()
  else again()
}

async function answers(): Promise<boolean> {
  try {
    const answer = await fetch(`${base.api}/readyz`, { cache: 'no-store', signal: AbortSignal.timeout(patience) })
    return !unreachable(answer.status)
  } catch {
    return false
  }
}

/** unreachable reports whether a proxy uses this status to say that it cannot reach the server. */
export const unreachable = (status: number): boolean => status === 502 || status === 503 || status === 504

/** mustWait reports whether untilBack would wait. */
export const mustWait = (): boolean => outage.peek() !== null || ending > 0

/**
 * untilBack waits for the end of the outage and the requests of beforeOthers, or until the signal
 * aborts.
 */
export function untilBack(signal?: AbortSignal): Promise<void> {
  return new Promise((done) => {
    if (!mustWait() || signal?.aborted) {
      done()
      return
    }
    const end = () => {
      waiting = waiting.filter((one) => one !== end)
      signal?.removeEventListener('abort', end)
      done()
    }
    waiting.push(end)
    signal?.addEventListener('abort', end)
  })
}
