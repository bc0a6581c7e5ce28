/** Stop is a point of the axis: when the log had come to a revision, in milliseconds. */
export interface Stop {
  readonly revision: number
  readonly at: number
}

/**
 * Axis is where on a line from 0 to 1 the moments of the log are.
 *
 * A moment's place is halfway between where its time alone would put it and where its revision would: so neither a burst of changes nor a
 * long quiet takes the whole line, and both are in order. Between two stops changes are taken to be even.
 */
export interface Axis {
  readonly stops: readonly Stop[]
  readonly places: readonly number[]
}

/** axisOf makes an axis. Stops are put in order; without two of them there is nothing to move along. */
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

/** between finds the stop before a value of a rising list, and how far on the way to the next it is. */
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

/** placeOf is where a revision is. */
export function placeOf(a: Axis, revision: number): number {
  return mix(
    a.places,
    between(
      a.stops.map((s) => s.revision),
      revision,
    ),
  )
}

/** revisionAt is the revision that is nearest to a place. */
export function revisionAt(a: Axis, place: number): number {
  return Math.round(
    mix(
      a.stops.map((s) => s.revision),
      between(a.places, place),
    ),
  )
}

/** timeAt is about when the log was at a place, in milliseconds. */
export function timeAt(a: Axis, place: number): number {
  return mix(
    a.stops.map((s) => s.at),
    between(a.places, place),
  )
}

/** quick is what a part of the axis is taken to last at least, in seconds: changes of one moment are not infinitely many a second. */
const quick = 0.05

/** densityOf is how many changes there were a second in each of n parts of the axis, by their logarithm, the most being 1. */
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

/** thinned halves a list of stops that has become too long; the ends stay. */
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

/** placeOfTime is where a moment is, in milliseconds. Times before and after the axis are at its ends. */
export function placeOfTime(a: Axis, at: number): number {
  return mix(
    a.places,
    between(
      a.stops.map((s) => s.at),
      at,
    ),
  )
}

/** zoomed is the axis of the revisions from one to another, both within it: what is known between them, and the two ends. */
export function zoomed(a: Axis, from: number, to: number): Axis {
  const end = (revision: number): Stop => ({ revision, at: timeAt(a, placeOf(a, revision)) })
  return axisOf([end(from), ...a.stops.filter((s) => s.revision > from && s.revision < to), end(to)])
}
