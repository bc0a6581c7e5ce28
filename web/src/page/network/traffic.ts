import type { Own } from '../../api/own'

/** Counts are numbers of requests by outcome. */
export type Counts = Pick<Minute, 'answered' | 'failed' | 'refused' | 'lost'>

/** End is a Pod or a Service, which may be gone. */
export type End = Own<'TrafficEnd'>

/** Item counts the requests of one caller to one callee. */
export type Item = Own<'TrafficItem'>

/** Minute counts the requests of a minute of cluster time. */
export type Minute = Own<'TrafficMinute'>

/** Traffic is the response of GET /rowlock/v1/traffic. */
export type Traffic = Own<'Traffic'>

/** outcomes are the outcomes of requests, in stacking order, the good one first. */
export const outcomes = ['answered', 'failed', 'refused', 'lost'] as const

export type Outcome = (typeof outcomes)[number]

/** totalOf returns the total number of requests. */
export const totalOf = (c: Counts): number => outcomes.reduce((sum, o) => sum + c[o], 0)

/** sumOf adds counts. */
export function sumOf(all: readonly Counts[]): Counts {
  const sum = { answered: 0, failed: 0, refused: 0, lost: 0 }
  for (const c of all) for (const o of outcomes) sum[o] += c[o]
  return sum
}

/**
 * Piece is a part of a bar, horizontally in minutes and vertically as a share of the highest bar.
 */
export interface Piece {
  readonly outcome: Outcome
  readonly x: number
  readonly y: number
  readonly height: number
}

const minute = 60_000

/** piecesOf stacks the counts of each minute, and returns the width of the picture in minutes. */
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
