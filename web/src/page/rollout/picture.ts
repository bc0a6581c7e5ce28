import { availableOf, type Frame, type SetState } from './history'

/**
 * Axis is the horizontal axis: cluster time, or one step per change, which shows what happened
 * while the clock was paused.
 */
export type Axis = 'time' | 'change'

/** View says which part of a history is drawn, and its size. */
export interface View {
  readonly frames: readonly Frame[]
  readonly axis: Axis
  /** The end of the picture: the moment that is shown, or shortly after the end of the rollout. */
  readonly until: number
  readonly width: number
  readonly height: number
}

/**
 * Layer is an area of the picture: Pods of one ReplicaSet that are available, or not available yet.
 */
export interface Layer {
  readonly uid: string
  readonly revision: number
  readonly kind: 'available' | 'pending'
  readonly path: string
  /** The place of its name; absent if there is no room. */
  readonly label?: { readonly x: number; readonly y: number }
}

export interface Tick {
  readonly place: number
  readonly text: string
}

/**
 * Picture is the layout of a history: from the bottom the available Pods, oldest revision first,
 * and above them those not available yet.
 */
export interface Picture {
  readonly layers: readonly Layer[]
  /** The upper and the lower bound, and the edges that must not cross them. */
  readonly most: string
  readonly least: string
  readonly total: string
  readonly available: string
  readonly xs: readonly number[]
  readonly end: number
  readonly y: (n: number) => number
  readonly columns: readonly Tick[]
  readonly rows: readonly Tick[]
}

/** margin is the room for the labels of the axes. */
export const margin = { start: 38, end: 14, top: 14, bottom: 24 }

/** layOut lays out a history, in time proportional to the number of frames and ReplicaSets. */
export function layOut(v: View): Picture {
  const { frames } = v
  const right = v.width - margin.end
  const span = right - margin.start
  const first = frames[0]?.at ?? 0
  const duration = Math.max(1, v.until - first)
  const steps = Math.max(1, frames.length)
  const xs = frames.map((f, i) =>
    v.axis === 'time' ? margin.start + (span * Math.min(duration, f.at - first)) / duration : margin.start + (span * i) / steps,
  )
  const top = Math.max(1, ...frames.map((f) => Math.max(f.total, f.bounds.most)))
  const floor = v.height - margin.bottom
  const y = (n: number) => floor - ((floor - margin.top) * n) / (top * 1.06)
  const edge = (of: (f: Frame) => number) => line(xs, right, frames.map(of).map(y))
  return {
    layers: layersOf(frames, xs, right, y),
    most: edge((f) => f.bounds.most),
    least: edge((f) => f.bounds.least),
    total: edge((f) => f.total),
    available: edge((f) => f.available),
    xs,
    end: right,
    y,
    columns: v.axis === 'time' ? timeTicks(duration, span) : stepTicks(frames.length, span),
    rows: niceNumbers(top).map((n) => ({ place: y(n), text: String(n) })),
  }
}

function layersOf(frames: readonly Frame[], xs: readonly number[], right: number, y: (n: number) => number): Layer[] {
  const sets = new Map<string, SetState>()
  for (const f of frames) for (const s of f.sets) sets.set(s.uid, s)
  const old = [...sets.values()].sort((a, b) => a.revision - b.revision)
  const base = frames.map(() => 0)
  const layers: Layer[] = []
  const add = (s: SetState, kind: Layer['kind'], of: (s: SetState) => number) => {
    const counts = frames.map((f) => {
      const now = f.sets.find((one) => one.uid === s.uid)
      return now ? of(now) : 0
    })
    if (counts.every((n) => n === 0)) return
    const [low, high] = [base.map(y), base.map((n, i) => y(n + (counts[i] ?? 0)))]
    const label = kind === 'available' ? roomFor(xs, right, low, high) : undefined
    layers.push({ uid: s.uid, revision: s.revision, kind, path: area(xs, right, low, high), ...(label ? { label } : {}) })
    counts.forEach((n, i) => {
      base[i] = (base[i] ?? 0) + n
    })
  }
  for (const s of old) add(s, 'available', availableOf)
  for (const s of old.toReversed()) add(s, 'pending', (one) => one.wanted - availableOf(one))
  return layers
}

const px = (n: number): string => String(Math.round(n * 10) / 10)

/** line draws a step line: each height holds until the next place. */
export function line(xs: readonly number[], right: number, ys: readonly number[]): string {
  let d = ''
  ys.forEach((y, i) => {
    d += i === 0 ? `M${px(xs[0] ?? 0)} ${px(y)}` : `V${px(y)}`
    d += `H${px(xs[i + 1] ?? right)}`
  })
  return d
}

/** area draws the area between two lines; empty stretches are omitted. */
export function area(xs: readonly number[], right: number, low: readonly number[], high: readonly number[]): string {
  let d = ''
  for (let i = 0; i < xs.length; i++) {
    if (low[i] === high[i]) continue
    let end = i
    while (end + 1 < xs.length && low[end + 1] !== high[end + 1]) end++
    d += line(xs.slice(i, end + 1), xs[end + 1] ?? right, high.slice(i, end + 1))
    for (let j = end; j >= i; j--) d += `V${px(low[j] ?? 0)}H${px(xs[j] ?? 0)}`
    d += 'Z'
    i = end
  }
  return d
}

/**
 * roomFor finds a place for a name in an area: in the largest rectangle that is wide and high
 * enough.
 */
function roomFor(
  xs: readonly number[],
  right: number,
  low: readonly number[],
  high: readonly number[],
): { x: number; y: number } | undefined {
  let best: { x: number; y: number; size: number } | undefined
  const stride = Math.ceil(xs.length / 100) // trying every place would take quadratic time
  for (let i = 0; i < xs.length; i += stride) {
    let [top, bottom] = [high[i] ?? 0, low[i] ?? 0]
    const from = xs[i] ?? 0
    for (let j = i; j < xs.length; j++) {
      top = Math.max(top, high[j] ?? 0)
      bottom = Math.min(bottom, low[j] ?? 0)
      if (bottom - top < 15) break
      const width = (xs[j + 1] ?? right) - from
      const size = width * (bottom - top)
      if (width > 34 && size > (best?.size ?? 0)) best = { x: from + width / 2, y: (top + bottom) / 2, size }
    }
  }
  return best && { x: best.x, y: best.y }
}

/** niceNumbers returns about four round numbers up to a maximum. */
export function niceNumbers(top: number): number[] {
  const rough = top / 4
  const power = 10 ** Math.floor(Math.log10(Math.max(1, rough)))
  const step = Math.max(1, [1, 2, 5, 10].map((n) => n * power).find((n) => n >= rough) ?? 1)
  return Array.from({ length: Math.floor(top / step) + 1 }, (_, i) => i * step)
}

const seconds = [
  0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 1800, 3600, 7200, 21600, 86400,
]

/** spanText formats a duration between ticks: 0, 200ms, 5s, 1m30s, 2h. */
export function spanText(ms: number): string {
  if (ms === 0) return '0'
  if (ms < 1000) return `${Math.round(ms)}ms`
  const all = Math.round(ms / 1000)
  if (ms < 10_000 && ms % 1000 !== 0) return `${Math.round(ms / 100) / 10}s`
  const parts: [number, string][] = [
    [Math.floor(all / 86400), 'd'],
    [Math.floor(all / 3600) % 24, 'h'],
    [Math.floor(all / 60) % 60, 'm'],
    [all % 60, 's'],
  ]
  return parts
    .filter(([n]) => n > 0)
    .slice(0, 2)
    .map(([n, unit]) => `${n}${unit}`)
    .join('')
}

/** timeTicks returns round durations along a picture, from its left edge. */
export function timeTicks(duration: number, span: number): Tick[] {
  const wanted = Math.max(2, Math.floor(span / 90))
  const step = 1000 * (seconds.find((s) => duration / (s * 1000) <= wanted) ?? Math.ceil(duration / 86_400_000 / wanted) * 86_400)
  return Array.from({ length: Math.floor(duration / step) + 1 }, (_, i) => ({
    place: margin.start + (span * i * step) / duration,
    text: spanText(i * step),
  }))
}

function stepTicks(n: number, span: number): Tick[] {
  const every = Math.max(1, Math.ceil(n / Math.max(2, Math.floor(span / 60))))
  return Array.from({ length: Math.ceil(n / every) }, (_, i) => ({
    place: margin.start + (span * i * every) / Math.max(1, n),
    text: String(i * every + 1),
  }))
}

/** placeAt returns the frame at a distance from the left: the last that begins there or before. */
export function placeAt(xs: readonly number[], x: number): number {
  let [low, high] = [0, xs.length - 1]
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if ((xs[middle] ?? 0) <= x) low = middle
    else high = middle - 1
  }
  return low
}
