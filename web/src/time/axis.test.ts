import { expect, test } from 'vitest'
import { axisOf, densityOf, placeOf, revisionAt, thinned, ticksOf, timeAt } from './axis'

// A burst of 100 changes in one second, then 10 in 99 seconds.
const uneven = axisOf([
  { revision: 1, at: 0 },
  { revision: 101, at: 1_000 },
  { revision: 111, at: 100_000 },
])

test('a moment is halfway between where its time and where its revision would put it', () => {
  expect(placeOf(uneven, 1)).toBe(0)
  expect(placeOf(uneven, 111)).toBe(1)
  expect(placeOf(uneven, 101)).toBeCloseTo((100 / 110 + 1 / 100) / 2)
})

test('places and revisions lead to each other', () => {
  for (let r = 1; r <= 111; r++) expect(revisionAt(uneven, placeOf(uneven, r))).toBe(r)
})

test('what lies beyond the ends is at the ends', () => {
  expect(revisionAt(uneven, -1)).toBe(1)
  expect(revisionAt(uneven, 2)).toBe(111)
  expect(placeOf(uneven, 0)).toBe(0)
  expect(placeOf(uneven, 5000)).toBe(1)
  expect(timeAt(uneven, 2)).toBe(100_000)
})

test('a log that stands still in time has an axis by revision', () => {
  const still = axisOf([
    { revision: 5, at: 7 },
    { revision: 9, at: 7 },
  ])
  expect(placeOf(still, 7)).toBe(0.5)
})

test.each([[[]], [[{ revision: 4, at: 1 }]]])('an axis of %j has no length', (stops) => {
  const a = axisOf(stops)
  expect(placeOf(a, 4)).toBe(0)
  expect(densityOf(a, 3)).toEqual([0, 0, 0])
  expect(ticksOf(a, 3, () => '')).toEqual([])
})

test('the density is highest where most changes are', () => {
  const d = densityOf(uneven, 10)
  expect(d.indexOf(Math.max(...d))).toBeLessThan(5)
  expect(Math.max(...d)).toBe(1)
  expect(d.at(-1)).toBeLessThan(0.1)
  expect(d.at(-1)).toBeGreaterThan(0)
})

test('thinning keeps the ends', () => {
  const stops = Array.from({ length: 10 }, (_, i) => ({ revision: i, at: i }))
  expect(thinned(stops, 10)).toBe(stops)
  expect(thinned(stops, 9).map((s) => s.revision)).toEqual([0, 2, 4, 6, 8, 9])
})

test('ticks are some seconds apart, and say a day once', () => {
  const days = axisOf([
    { revision: 1, at: 0 },
    { revision: 2, at: 172_800_000 },
  ])
  const day = (at: number) => String(Math.floor(at / 86_400_000))
  expect(ticksOf(days, 4, day).map((t) => t.day)).toEqual([true, false, true, false])
  const short = axisOf([
    { revision: 1, at: 0 },
    { revision: 2, at: 400 },
  ])
  expect(ticksOf(short, 5, day)).toHaveLength(1)
})
