import { expect, test } from 'vitest'
import { grouped } from './bundle'

test('lines are put together by their streams, each in the order in which it came', () => {
  const lines = [
    { id: 2, begun: true },
    { id: 1, line: 'a' },
    { id: 2, line: 'b' },
    { id: 1, line: 'c' },
    { id: 2, ended: true },
  ]
  expect([...grouped(lines)]).toEqual([
    [2, [lines[0], lines[2], lines[4]]],
    [1, [lines[1], lines[3]]],
  ])
})
