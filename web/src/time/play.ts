import type { Change } from './log'

/**
 * Pace is the speed of a replay: a multiple of the original speed, or a number of changes a second.
 */
export interface Pace {
  readonly id: string
  readonly unit: 'time' | 'changes'
  readonly rate: number
}

/** paces are the selectable paces. */
export const paces: readonly Pace[] = [
  { id: '1x', unit: 'time', rate: 1 },
  { id: '10x', unit: 'time', rate: 10 },
  { id: '60x', unit: 'time', rate: 60 },
  { id: '1c', unit: 'changes', rate: 1 },
  { id: '5c', unit: 'changes', rate: 5 },
  { id: '20c', unit: 'changes', rate: 20 },
]

/**
 * longest is the longest time without a change, in milliseconds of real time; longer ones are
 * shortened.
 */
export const longest = 2_000

/** Frame is a change to show, and the delay after the previous frame. */
export interface Frame {
  readonly change: Change
  readonly wait: number
}

/**
 * leastWait is how long a frame is shown at least, in milliseconds; changes closer together are
 * shown at once, by the last of them.
 */
const leastWait = 50

/**
 * framesOf plans the replay of changes at a pace, from a given cluster time on. If time counts,
 * changes of one moment are one frame.
 */
export function framesOf(changes: readonly Change[], from: number, pace: Pace): Frame[] {
  if (pace.unit === 'changes') return changes.map((change) => ({ change, wait: 1000 / pace.rate }))
  const frames: Frame[] = []
  let shown = from
  for (const [i, change] of changes.entries()) {
    const at = Date.parse(change.at)
    const next = changes[i + 1]
    // The next change comes before this one could be seen.
    if (next && (Date.parse(next.at) - shown) / pace.rate < leastWait) continue
    frames.push({ change, wait: Math.min(longest, Math.max(leastWait, (at - shown) / pace.rate)) })
    shown = at
  }
  return frames
}
