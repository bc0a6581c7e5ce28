import { expect, test } from 'vitest'
import type { Clock } from './clock'
import { untilFirst } from './watch'
import { formatSpeed, isSpan, isSpeed, modeOf, progressOf } from './words'

const clock: Clock = { now: '2026-01-01T00:00:00Z', speed: 1, pace: 1, paused: false, due: [] }
const now = Date.parse(clock.now)

test.each([
  [clock, 'running'],
  [{ ...clock, speed: 0, paused: true }, 'paused'],
  [{ ...clock, speed: 0, advance: { phase: 'running', from: clock.now, steps: 1 } }, 'advancing'],
  [{ ...clock, advance: { phase: 'done', from: clock.now, steps: 1 } }, 'running'],
] as const)('%j is %s', (c, want) => {
  expect(modeOf(c)).toBe(want)
})

test.each([
  [{ from: '2026-01-01T00:00:00Z', to: '2026-01-01T01:00:00Z' }, now + 900_000, 0.25],
  [{ from: '2026-01-01T00:00:00Z', to: '2026-01-01T01:00:00Z' }, now + 9_000_000, 1],
  [{ from: '2026-01-01T00:00:00Z' }, now, null],
  [{ from: '2026-01-01T00:00:00Z', to: '2026-01-01T00:00:00Z' }, now, 1],
])('an advance %j is so far at %d: %s', (a, at, want) => {
  expect(progressOf({ phase: 'running', steps: 0, ...a }, at)).toBe(want)
})

test.each([['90s'], ['36h'], ['1d'], ['2d12h'], ['1.5d'], ['1h30m'], ['100ms']])('%s is a span', (s) => {
  expect(isSpan(s)).toBe(true)
})
test.each([[''], ['5'], ['h'], ['12h2d'], ['-1h'], ['1 h']])('%j is no span', (s) => {
  expect(isSpan(s)).toBe(false)
})

test('speeds have bounds', () => {
  expect([0, 0.0001, 0.001, 1, 100_000, 100_001, Number.NaN].map(isSpeed)).toEqual([false, false, true, true, true, false, false])
  expect([1, 0.1, 3600, 1 / 3].map(formatSpeed)).toEqual(['1×', '0.1×', '3600×', '0.3333×'])
})

test('the first of what is still to come is waited for, by the speed', () => {
  const due = [-60, 60, 90].map((s) => ({ at: new Date(now + s * 1000).toISOString(), controller: 'x', name: 'y' }))
  expect(untilFirst({ ...clock, due, speed: 60 }, now)).toBe(1000)
  expect(untilFirst({ ...clock, due, speed: 0 }, now)).toBeNull()
  expect(untilFirst({ ...clock, due: [] }, now)).toBeNull()
})
