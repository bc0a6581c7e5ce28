import { expect, test } from 'vitest'
import { axisOf, placeOfTime, zoomed } from './axis'
import { boundsOf, holding, scaled, type Window } from './zoom'

const log = { from: 0, to: 1000 }

test.each<[Window, object]>([
  [
    { span: 100, end: null },
    { from: 900, to: 1000 },
  ],
  [
    { span: 100, end: 500 },
    { from: 400, to: 500 },
  ],
  [
    { span: 100, end: 50 },
    { from: 0, to: 100 },
  ],
  [{ span: 5000, end: null }, log],
  [
    { span: 1, end: 500 },
    { from: 480, to: 500 },
  ],
])('%j has the bounds %j', (w, want) => {
  expect(boundsOf(w, log)).toEqual(want)
})

test('zooming keeps the place of what one points at, and zooming out shows all', () => {
  const half = scaled(null, log, 500, 0.5)
  expect(half && boundsOf(half, log)).toEqual({ from: 250, to: 750 })
  const quarter = scaled(half, log, 250, 0.5)
  expect(quarter && boundsOf(quarter, log)).toEqual({ from: 250, to: 500 })
  expect(scaled(null, log, 1000, 0.5)).toEqual({ span: 500, end: null }) // at its end it follows the log
  expect(scaled(half, log, 500, 2)).toBeNull()
})

test('the moment that is shown stays on the line', () => {
  const w = { span: 100, end: 500 }
  expect(holding(w, log, 450)).toBe(w)
  expect(holding(w, log, 100)).toEqual({ span: 100, end: 150 })
  expect(holding(w, log, 990)).toEqual({ span: 100, end: null })
  const beyond = holding(w, log, 9999)
  expect(holding(beyond, log, 9999)).toBe(beyond)
  expect(holding(w, log, null)).toEqual({ span: 100, end: null })
})

test('an axis is cut between what is known, and times have places', () => {
  const a = axisOf([0, 10, 20, 30].map((revision) => ({ revision, at: revision * 100 })))
  const part = zoomed(a, 5, 20)
  expect(part.stops).toEqual([5, 10, 20].map((revision) => ({ revision, at: revision * 100 })))
  expect(placeOfTime(a, 1500)).toBe(0.5)
  expect(placeOfTime(a, -1)).toBe(0)
  expect(placeOfTime(a, 99_999)).toBe(1)
})
