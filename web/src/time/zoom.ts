import { computed, effect, signal } from '@preact/signals'
import { at } from '../route'
import { type Axis, axisOf, type Stop, zoomed } from './axis'
import { readChanges } from './log'
import { axis, history, learn } from './now'

/**
 * Window is the part of the log that the timeline shows: a number of revisions up to a revision, or
 * up to now if `end` is null.
 */
export interface Window {
  readonly span: number
  readonly end: number | null
}

/** zoom is the part that is shown; null for all. */
export const zoom = signal<Window | null>(null)

/**
 * least is the minimum number of revisions on the timeline; exact is up to how many their times are
 * read one by one.
 */
const least = 20
const exact = 1000

/** Bounds are the first and last revision of the timeline. */
export interface Bounds {
  readonly from: number
  readonly to: number
}

/** boundsOf returns the bounds of a window within the log. */
export function boundsOf(w: Window, log: Bounds): Bounds {
  const span = Math.min(Math.max(w.span, least), log.to - log.from)
  const to = Math.min(Math.max(w.end ?? log.to, log.from + span), log.to)
  return { from: to - span, to }
}

/**
 * scaled scales a window around a revision, which keeps its place; null if the result is the whole
 * log.
 */
export function scaled(w: Window | null, log: Bounds, about: number, by: number): Window | null {
  const old = w ? boundsOf(w, log) : log
  const span = Math.max(least, Math.round((old.to - old.from) * by))
  if (span >= log.to - log.from) return null
  const part = old.to > old.from ? (about - old.from) / (old.to - old.from) : 1
  const to = Math.min(log.to, Math.max(log.from + span, Math.round(about + span * (1 - part))))
  return { span, end: to >= log.to ? null : to }
}

/**
 * holding moves a window so that it contains a moment, or now for null. Moments beyond the log
 * count as its ends.
 */
export function holding(w: Window, log: Bounds, shown: number | null): Window {
  if (shown === null) return w.end === null ? w : { ...w, end: null }
  const revision = Math.min(Math.max(shown, log.from), log.to)
  const b = boundsOf(w, log)
  if (revision >= b.from && revision <= b.to) return w
  const end = revision + Math.round((b.to - b.from) / 2)
  return { span: w.span, end: end >= log.to ? null : end }
}

/** logBounds are the ends of the log; null until they are known. */
export const logBounds = computed<Bounds | null>(() => {
  const h = history.value
  return h && { from: h.oldest.revision, to: h.newest.revision }
})

/** shownBounds are the ends of the line. */
export const shownBounds = computed<Bounds | null>(() => {
  const log = logBounds.value
  return log && (zoom.value ? boundsOf(zoom.value, log) : log)
})

/** finer holds the times of all revisions of a part that has been read one by one. */
const finer = signal<{ readonly from: number; readonly to: number; readonly stops: readonly Stop[] } | null>(null)

/** shownAxis is the axis of the timeline. */
export const shownAxis = computed<Axis>(() => {
  const b = shownBounds.value
  const f = finer.value
  if (!b || !zoom.value) return axis.value
  if (!f || f.to < b.from || f.from > b.to) return zoomed(axis.value, b.from, b.to)
  const coarse = axis.value.stops.filter((s) => s.revision < f.from || s.revision > f.to)
  return zoomed(axisOf([...coarse, ...f.stops]), b.from, b.to)
})

/** zoomBy scales the shown part around a revision. */
export function zoomBy(by: number, about: number): void {
  const log = logBounds.peek()
  if (log) zoom.value = scaled(zoom.peek(), log, about, by)
}

let started = false

/** startZoom keeps the shown moment on the timeline, and reads the times of the zoomed part. */
export function startZoom(): void {
  if (started) return
  started = true
  effect(() => {
    const log = logBounds.value
    const revision = at.value
    const w = zoom.value
    if (w && log) zoom.value = holding(w, log, revision)
  })
  let asking = new AbortController()
  effect(() => {
    const w = zoom.value
    asking.abort()
    const log = logBounds.peek()
    if (!w || !log) return
    const b = boundsOf(w, log)
    if (b.to - b.from > exact) return
    asking = new AbortController()
    readChanges({}, { after: Math.max(1, b.from - 1), before: b.to + 1, limit: exact }, asking.signal).then(
      (page) => {
        learn(page.items)
        finer.value = { ...b, stops: page.items.map((c) => ({ revision: c.revision, at: Date.parse(c.at) })) }
      },
      () => undefined, // the timeline stays as coarse as it was
    )
  })
}
