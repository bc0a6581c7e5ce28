import { expect, test } from 'vitest'
import type { Frame } from './history'
import { layOut, margin, niceNumbers, placeAt, spanText } from './picture'

const one = (revision: number, wanted: number, available: number) => ({ uid: `rs${revision}`, name: '', revision, wanted, available })
const bounds = { replicas: 4, most: 5, least: 3 }
const frames: Frame[] = [
  { revision: 1, at: 1000, sets: [one(1, 4, 4)], bounds, total: 4, available: 4 },
  { revision: 2, at: 1000, sets: [one(1, 3, 4), one(2, 1, 0)], bounds, total: 4, available: 3 },
  { revision: 3, at: 3000, sets: [one(1, 3, 3), one(2, 2, 1)], bounds, total: 5, available: 4 },
]
const size = { width: margin.start + 400 + margin.end, height: margin.top + 106 + margin.bottom }
const view = { frames, axis: 'time', until: 5000, ...size } as const

test('what is available lies below, what is to come above it', () => {
  const p = layOut(view)
  expect(p.layers.map((l) => `${l.kind} ${l.revision}`)).toEqual(['available 1', 'available 2', 'pending 2'])
  expect(p.y(0)).toBe(margin.top + 106)
  expect(p.y(5)).toBeCloseTo(margin.top + 6)
})

test('time and changes lie along the picture', () => {
  expect(layOut(view).xs).toEqual([margin.start, margin.start, margin.start + 200])
  const steps = layOut({ ...view, axis: 'change' })
  expect(steps.xs.map((x) => Math.round(x - margin.start))).toEqual([0, 133, 267])
  expect(steps.columns.map((c) => c.text)).toEqual(['1', '2', '3'])
  expect(layOut(view).columns.map((c) => c.text)).toEqual(['0', '1s', '2s', '3s', '4s'])
})

test('an area begins and ends where there is something', () => {
  const p = layOut({ ...view, axis: 'change', width: margin.start + 300 + margin.end })
  const pending = p.layers.find((l) => l.kind === 'pending')
  expect(pending?.path).toBe('M138 40H238V20H338V40H238V60H138Z')
  expect(p.most).toBe('M38 20H138V20H238V20H338')
})

test('a picture of nothing, and of one moment, can be drawn', () => {
  expect(layOut({ ...view, frames: [] }).layers).toEqual([])
  const still = layOut({ ...view, frames: frames.slice(0, 1), until: 1000 })
  expect(still.layers[0]?.path).not.toContain('NaN')
  expect(still.xs).toEqual([margin.start])
})

test.each([
  [1, [0, 1]],
  [5, [0, 2, 4]],
  [13, [0, 5, 10]],
  [1250, [0, 500, 1000]],
])('niceNumbers(%d)', (top, want) => {
  expect(niceNumbers(top)).toEqual(want)
})

test.each([
  [0, '0'],
  [250, '250ms'],
  [1500, '1.5s'],
  [90_000, '1m30s'],
  [7_200_000, '2h'],
  [90_000_000, '1d1h'],
])('spanText(%d) is %s', (ms, want) => {
  expect(spanText(ms)).toBe(want)
})

test.each([
  [0, 0],
  [10, 0],
  [19, 0],
  [20, 2],
  [99, 3],
])('placeAt %d', (x, want) => {
  expect(placeAt([10, 20, 20, 30], x)).toBe(want)
})
