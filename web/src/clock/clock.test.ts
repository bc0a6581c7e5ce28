import { expect, test } from 'vitest'
import { type Clock, timeOf } from './clock'

const clock = (speed: number): Clock => ({ now: '2026-01-01T00:00:00Z', speed, pace: 1, paused: speed === 0, due: [] })
const start = Date.parse('2026-01-01T00:00:00Z')

test.each([
  [1, 500, start + 500],
  [0, 500, start],
  [60, 1000, start + 60_000],
  [1, -5, start], // read after `now`: the clock does not go back
])('at a speed of %d, %d ms later', (speed, passed, want) => {
  expect(timeOf({ clock: clock(speed), read: 100 }, 100 + passed)).toBe(want)
})
