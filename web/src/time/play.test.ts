import { expect, test } from 'vitest'
import type { Change } from './log'
import { framesOf, longest, type Pace } from './play'

const change = (revision: number, ms: number): Change => ({
  revision,
  at: new Date(ms).toISOString(),
  verb: 'updated',
  resource: 'pods',
  kind: 'Pod',
  apiVersion: 'v1',
  name: 'a',
  uid: 'a',
  writer: {},
})
const log = [change(1, 0), change(2, 0), change(3, 10), change(4, 1_000), change(5, 3_600_000)]
const frames = (unit: Pace['unit'], rate: number) => framesOf(log, 0, { id: '', unit, rate }).map((f) => [f.change.revision, f.wait])

test('by time, what comes at once is shown at once, and a long quiet is cut short', () => {
  expect(frames('time', 1)).toEqual([
    [3, 50],
    [4, 990],
    [5, longest],
  ])
})

test('ten times as fast', () => {
  expect(frames('time', 10)).toEqual([
    [3, 50],
    [4, 99],
    [5, longest],
  ])
})

test('by changes, each is shown', () => {
  expect(frames('changes', 5)).toEqual([1, 2, 3, 4, 5].map((r) => [r, 200]))
})

test('nothing goes by where nothing was', () => {
  expect(framesOf([], 0, { id: '', unit: 'time', rate: 1 })).toEqual([])
})
