import type { Advance, Clock } from './clock'

/** Mode is the clock's mode. */
export type Mode = 'running' | 'paused' | 'advancing'

export function modeOf(c: Clock): Mode {
  if (c.advance?.phase === 'running') return 'advancing'
  return c.paused || c.speed === 0 ? 'paused' : 'running'
}

/** progressOf returns the progress of an advance, from 0 to 1; null if its target is unknown. */
export function progressOf(a: Advance, now: number): number | null {
  if (a.to === undefined) return null
  const from = Date.parse(a.from)
  const to = Date.parse(a.to)
  return to > from ? Math.min(1, Math.max(0, (now - from) / (to - from))) : 1
}

/** speeds have a button each. */
export const speeds: readonly number[] = [0.1, 1, 10, 60, 600, 3600]

/** spans have a button each that advances the clock. */
export const spans: readonly string[] = ['30s', '5m', '1h', '1d']

/**
 * isSpeed reports whether the clock can run at a speed. Source: Rowlock's internal/clock, MinSpeed
 * and MaxSpeed.
 */
export const isSpeed = (n: number): boolean => n >= 0.001 && n <= 100_000

/** isSpan says whether a text is a span of time as the clock understands it: 90s, 36h, 1d, 2d12h, 1h30m. */
export const isSpan = (text: string): boolean => /^(\d+(\.\d+)?d)?(\d+(\.\d+)?(h|ms|m|s|us|ns))*$/.test(text) && text !== ''

/** formatSpeed writes a speed with as few digits as it needs. */
export const formatSpeed = (n: number): string => `${Number(n.toPrecision(4))}×`
