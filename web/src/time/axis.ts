/** Stop is a point of the axis: a revision and when it was committed, in milliseconds. */
export interface Stop {
  readonly revision: number
  readonly at: number
}

/**
 * Axis maps the moments of the log to a line from 0 to 1.
 *
 * A moment is placed halfway between its place by time and its place by revision, so that neither a
 * burst of changes nor a long quiet takes up the whole line. Between two stops, changes are assumed
 * to be evenly spread.
 */
export interface Axis {
  readonly stops: readonly Stop[]
  readonly places: readonly number[]
}

/**
 * axisOf makes an axis of stops in any order. With fewer than two of them it has a single point.
 */
export function axisOf(stops: readonly Stop[]): Axis {
  const sorted = [...stops].sort((a, b) => a.revision - b.revision)
  const first = sorted[0]
  const last = sorted.at(-1)
  if (!first || !last || first.revision === last.revision) return { stops: sorted.slice(0, 1), places: sorted.slice(0, 1).map(() => 0) }
  const revisions = last.revision - first.revision
  const span = last.at - first.at
  const places = sorted.map((s) => {
    const byRevision = (s.revision - first.revision) / revisions
    return span > 0 ? (byRevision + (s.at - first.at) / span) / 2 : byRevision
  })
  return { stops: sorted, places }
}

/**
 * between returns the last stop at or before a value of a rising list, and the fraction of the way
 * to the next one.
 */
function between(values: readonly number[], value: number): { i: number; part: number } {
  let low = 0
  let high = values.length - 1
  while (low < high - 1) {
    const middle = (low + high) >> 1
    if ((values[middle] ?? 0) <= value) low = middle
    else high = middle
  }
  const from = values[low] ?? 0
  const to = values[high] ?? from
  return { i: low, part: to > from ? Math.min(1, Math.max(0, (value - from) / (to - from))) : 0 }
}

function mix(of: readonly number[], { i, part }: { i: number; part: number }): number {
  const from = of[i] ?? 0
  return from + ((of[i + 1] ?? from) - from) * part
}

/** placeOf returns the place of a revision. */
export function placeOf(a: Axis, revision: number): number {
  return mix(
    a.places,
    between(
      a.stops.map((s) => s.revision),
      revision,
    ),
  )
}

/** revisionAt returns the revision nearest to a place. */
export function revisionAt(a: Axis, place: number): number {
  return Math.round(
    mix(
      a.stops.map((s) => s.revision),
      between(a.places, place),
    ),
  )
}

/** timeAt estimates the time at a place, in milliseconds. */
export function timeAt(a: Axis, place: number): number {
  return mix(
    a.stops.map((s) => s.at),
    between(a.places, place),
  )
}

/**
 * quick is the minimum duration of a part of the axis, in seconds, so that changes of one moment do
 * not have an infinite rate.
 */
const quick = 0.05

/**
 * densityOf returns the rate of changes in each of n parts of the axis, on a logarithmic scale up
 * to 1.
 */
export function densityOf(a: Axis, n: number): number[] {
  const revisions = a.stops.map((s) => s.revision)
  const ends = Array.from({ length: n + 1 }, (_, i) => ({ revision: mix(revisions, between(a.places, i / n)), at: timeAt(a, i / n) }))
  const rates = ends.slice(1).map((to, i) => {
    const from = ends[i] ?? to
    return Math.log1p((to.revision - from.revision) / Math.max(quick, (to.at - from.at) / 1000))
  })
  const most = Math.max(...rates, 1e-9)
  return rates.map((r) => Math.max(0, r) / most)
}

/** thinned halves a list of stops that has become too long, and keeps the ends. */
export function thinned(stops: readonly Stop[], most: number): readonly Stop[] {
  return stops.length <= most ? stops : stops.filter((_, i) => i % 2 === 0 || i === stops.length - 1)
}

/** Tick is a mark on the axis, with its time. */
export interface Tick {
  readonly place: number
  readonly at: number
  /** Whether a new day starts with it, so that its date must be shown. */
  readonly day: boolean
}

/** ticksOf returns n ticks of the axis, without those in a second that already has one. */
export function ticksOf(a: Axis, n: number, dayOf: (at: number) => string): Tick[] {
  const ticks: Tick[] = []
  let second = Number.NaN
  let day = ''
  for (let i = 0; i < n && a.stops.length > 1; i++) {
    const place = (i + 0.5) / n
    const at = timeAt(a, place)
    if (Math.floor(at / 1000) === second) continue
    second = Math.floor(at / 1000)
    ticks.push({ place, at, day: dayOf(at) !== day })
    day = dayOf(at)
  }
  return ticks
}

/**
 * placeOfTime returns the place of a time in milliseconds. Times before and after the axis are at
 * its ends.
 */
export function placeOfTime(a: Axis, at: number): number {
  return mix(
    a.places,
    between(
      a.stops.map((s) => s.at),
      at,
    ),
  )
}

/**
 * zoomed returns the axis between two of its revisions: the known stops between them, and the two
 * ends.
 */
export function zoomed(a: Axis, from: number, to: number): Axis {
  const end = (revision: number): Stop => ({ revision, at: timeAt(a, placeOf(a, revision)) })
  return axisOf([end(from), ...a.stops.filter((s) => s.revision > from && s.revision < to), end(to)])
}
