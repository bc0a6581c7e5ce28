import { expect, test } from 'vitest'
import { piecesOf, sumOf, totalOf } from './traffic'

const none = { answered: 0, failed: 0, refused: 0, lost: 0 }

test('counts add up', () => {
  const sum = sumOf([
    { ...none, answered: 3 },
    { ...none, answered: 1, lost: 2 },
  ])
  expect(sum).toEqual({ answered: 4, failed: 0, refused: 0, lost: 2 })
  expect(totalOf(sum)).toBe(6)
  expect(sumOf([])).toEqual(none)
})

test('minutes are stacked from the left, the highest to the top', () => {
  const minutes = [
    { at: '2030-01-01T11:51:00Z', ...none, answered: 1, refused: 3 },
    { at: '2030-01-01T12:00:00Z', ...none, lost: 2 },
    { at: '2030-01-01T13:00:00Z', ...none, lost: 1 }, // none of these
  ]
  expect(piecesOf({ from: '2030-01-01T11:50:00Z', to: '2030-01-01T12:00:30Z', items: [], minutes })).toEqual({
    width: 11,
    pieces: [
      { outcome: 'answered', x: 1, y: 0, height: 0.25 },
      { outcome: 'refused', x: 1, y: 0.25, height: 0.75 },
      { outcome: 'lost', x: 10, y: 0, height: 0.5 },
    ],
  })
  expect(piecesOf({ from: '2030-01-01T11:50:00Z', to: '2030-01-01T12:00:30Z', items: [], minutes: [] }).pieces).toEqual([])
})
