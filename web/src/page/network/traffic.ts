import type { Own } from '../../api/own'

/** Counts are numbers of requests, by how they went. */
export type Counts = Pick<Minute, 'answered' | 'failed' | 'refused' | 'lost'>

/** End is a Pod or a Service, which may be gone. */
export type End = Own<'TrafficEnd'>

/** Item counts the requests of one caller to one callee. */
export type Item = Own<'TrafficItem'>

/** Minute is what was asked in a minute of cluster time. */
export type Minute = Own<'TrafficMinute'>

/** Traffic is what GET /rowlock/v1/traffic answers. */
export type Traffic = Own<'Traffic'>

/** outcomes are the ways in which requests go, the good one first: the order in which they are stacked. */
export const outcomes = ['answered', 'failed', 'refused', 'lost'] as const

export type Outcome = (typeof outcomes)[number]

/** totalOf is how many requests there were. */
export const totalOf = (c: Counts): number => outcomes.reduce((sum, o) => sum + c[o], 0)

/** sumOf adds up. */
export function sumOf(all: readonly Counts[]): Counts {
  const sum = { answered: 0, failed: 0, refused: 0, lost: 0 }
  for (const c of all) for (const o of outcomes) sum[o] += c[o]
  return sum
}

/** Piece is a part of a bar, in minutes from the left, and in parts of the highest bar from below. */
export interface Piece {
  readonly outcome: Outcome
  readonly x: number
  readonly y: number
  readonly height: number
}

const minute = 60_000

/** piecesOf stacks the minutes' counts, and says how many minutes wide the picture is. */
export function piecesOf(traffic: Traffic): { readonly width: number; readonly pieces: readonly Piece[] } {
  const from = Math.floor(Date.parse(traffic.from) / minute)
  const width = Math.floor(Date.parse(traffic.to) / minute) - from + 1
  const most = Math.max(1, ...traffic.minutes.map(totalOf))
  const pieces: Piece[] = []
  for (const m of traffic.minutes) {
    const x = Math.floor(Date.parse(m.at) / minute) - from
    if (x < 0 || x >= width) continue
    let y = 0
    for (const outcome of outcomes) {
      const height = m[outcome] / most
      if (height > 0) pieces.push({ outcome, x, y, height })
      y += height
    }
  }
  return { width, pieces }
}
