import { afterEach, expect, test, vi } from 'vitest'
import { outage } from '../api/link'
import { type Clock, presentNow, reading, shownNow, tick, timeOf } from './clock'

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

afterEach(() => {
  outage.value = null
  reading.value = null
  vi.restoreAllMocks()
})

test('the time and all ages stand still in an outage, and go on after it', () => {
  const browser = vi.spyOn(performance, 'now')
  const shows = (ms: number) => {
    browser.mockReturnValue(ms)
    tick.value++
    return [presentNow.value - start, shownNow.value - start]
  }
  reading.value = { clock: clock(1), read: 100 }
  expect(shows(3_100)).toEqual([3_000, 3_000])
  outage.value = { since: 4_100, at: 0, next: 0 }
  expect(shows(60_100)).toEqual([4_000, 4_000])
  outage.value = null
  expect(shows(61_100)).toEqual([61_000, 61_000])
})
