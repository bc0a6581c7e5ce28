import { area, line, niceNumbers, type Tick, timeTicks } from '../rollout/picture'
import type { Frame } from './history'

/** View says what is drawn, and its size. */
export interface View {
  readonly frames: readonly Frame[]
  /** The end of the picture: the moment that is shown. */
  readonly until: number
  readonly width: number
}

/** Line is a metric over time, with gaps where it was unknown. */
export interface Line {
  readonly name: string
  readonly path: string
}

/**
 * Picture is two pictures with a common time axis: the replicas within their bounds, and below them
 * the metrics in percent of their targets.
 */
export interface Picture {
  readonly xs: readonly number[]
  readonly end: number
  readonly columns: readonly Tick[]
  readonly height: number
  readonly replicas: {
    readonly area: string
    readonly desired: string
    readonly least: string
    readonly most: string
    readonly rows: readonly Tick[]
    readonly y: (n: number) => number
  }
  readonly metrics: {
    readonly lines: readonly Line[]
    readonly rows: readonly Tick[]
    /** The height of the target. */
    readonly target: number
    readonly top: number
    readonly floor: number
  }
}

/** margin is the room for the labels of the axes. */
export const margin = { start: 44, end: 14, top: 16, between: 34, bottom: 24 }

const [replicasHeight, metricsHeight] = [150, 110]

/** highestShare clamps a metric: one far above its target would hide the others. */
const highestShare = 4

/** layOut lays out a history, in time proportional to the number of frames and metrics. */
export function layOut({ frames, until, width }: View): Picture {
  const right = width - margin.end
  const span = right - margin.start
  const first = frames[0]?.at ?? 0
  const duration = Math.max(1, until - first)
  const xs = frames.map((f) => margin.start + (span * Math.min(duration, f.at - first)) / duration)
  const floor = margin.top + replicasHeight
  const top = Math.max(1, ...frames.map((f) => Math.max(f.most, f.current, f.desired)))
  const y = (n: number) => floor - (replicasHeight * n) / (top * 1.06)
  const edge = (of: (f: Frame) => number) =>
    line(
      xs,
      right,
      frames.map((f) => y(of(f))),
    )
  const metricsTop = floor + margin.between
  const metricsFloor = metricsTop + metricsHeight
  const shares = frames.flatMap((f) => f.levels.map((l) => l.share ?? 0))
  const tall = Math.min(highestShare, Math.max(1.25, ...shares))
  const level = (share: number) => metricsFloor - (metricsHeight * Math.min(tall, share)) / tall
  const names = [...new Set(frames.flatMap((f) => f.levels.map((l) => l.name)))]
  return {
    xs,
    end: right,
    columns: timeTicks(duration, span),
    height: metricsFloor + margin.bottom,
    replicas: {
      area: area(
        xs,
        right,
        frames.map(() => floor),
        frames.map((f) => y(f.current)),
      ),
      desired: pieces(
        xs,
        right,
        frames.map((f) => (f.desired > 0 || f.current === 0 ? y(f.desired) : null)),
      ),
      least: edge((f) => f.least),
      most: edge((f) => f.most),
      rows: niceNumbers(top).map((n) => ({ place: y(n), text: String(n) })),
      y,
    },
    metrics: {
      lines: names.map((name) => ({
        name,
        path: pieces(
          xs,
          right,
          frames.map((f) => {
            const share = f.levels.find((l) => l.name === name)?.share
            return share == null ? null : level(share)
          }),
        ),
      })),
      rows: niceNumbers(tall * 100)
        .filter((n) => n % 50 === 0)
        .map((n) => ({ place: level(n / 100), text: `${n}%` })),
      target: level(1),
      top: metricsTop,
      floor: metricsFloor,
    },
  }
}

/** pieces draws a step line with gaps. */
function pieces(xs: readonly number[], right: number, ys: readonly (number | null)[]): string {
  let d = ''
  for (let i = 0; i < ys.length; ) {
    if (ys[i] === null) {
      i++
      continue
    }
    let end = i
    while (end < ys.length && ys[end] !== null) end++
    d += line(xs.slice(i, end), xs[end] ?? right, ys.slice(i, end) as number[])
    i = end
  }
  return d
}
