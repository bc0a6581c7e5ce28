import { computed, signal } from '@preact/signals'
import { ApiError, getJSON } from '../api/http'
import { beforeOthers, outage } from '../api/link'
import type { Own } from '../api/own'
import { at } from '../route'

/** Work is a due sync. Source: Rowlock's operation GET /rowlock/v1/clock. */
export type Work = Own<'ClockWork'>

/** Advance is a run of the clock through due syncs. */
export type Advance = Own<'ClockAdvance'>

/** Clock is the cluster's clock as the server returns it. */
export type Clock = Own<'Clock'>

/** Reading is the clock and when it was read, in milliseconds of the browser's monotonic time. */
export interface Reading {
  readonly clock: Clock
  readonly read: number
}

/**
 * timeOf returns the cluster time at a moment of the browser's monotonic time, both in
 * milliseconds.
 */
export function timeOf(r: Reading, now: number): number {
  return Date.parse(r.clock.now) + Math.max(0, now - r.read) * r.clock.speed
}

/** reading is the last reading; null until there is one. */
export const reading = signal<Reading | null>(null)

/**
 * moment is when the revision that is shown was committed, in milliseconds; null if now is shown or
 * it is unknown.
 */
export const moment = signal<number | null>(null)

/**
 * tick counts the seconds while the page is visible: components that read it are rendered again.
 */
export const tick = signal(0)

/**
 * presentNow is the cluster time, in milliseconds, whatever moment is shown. Components that read
 * it are rendered as it ticks. During an outage it stops, because the time is unknown.
 */
export const presentNow = computed<number>(() => {
  void tick.value
  return reading.value ? timeOf(reading.value, outage.value?.since ?? performance.now()) : Date.now()
})

/**
 * shownNow is the time of everything on the page, in milliseconds: the cluster's, or that of the
 * moment shown.
 */
export const shownNow = computed<number>(() => (at.value !== null && moment.value !== null ? moment.value : presentNow.value))

/**
 * shownMinute is shownNow rounded down to a minute, for drawings of many objects that seldom change
 * with time alone.
 */
export const shownMinute = computed<number>(() => Math.floor(shownNow.value / 60_000) * 60_000)

/**
 * clusterNow returns the cluster time, in milliseconds, whatever moment is shown. It does not
 * subscribe to the clock.
 */
export function clusterNow(): number {
  const read = reading.peek()
  return read ? timeOf(read, performance.now()) : Date.now()
}

/** readClock reads the clock. For a user who may not read it, the page uses the browser's. */
export async function readClock(): Promise<void> {
  try {
    const clock = await getJSON<Clock>('/rowlock/v1/clock', { query: { due: 50 } })
    reading.value = { clock, read: performance.now() }
  } catch (e) {
    if (!(e instanceof ApiError) || e.code !== 403) throw e
  }
}

/**
 * startTicking redraws times every second while the page is visible. The clock may have jumped
 * during an outage, so after one it is read before everything else.
 */
export function startTicking(): void {
  beforeOthers(readClock)
  setInterval(() => {
    if (!document.hidden) tick.value++
  }, 1000)
}
