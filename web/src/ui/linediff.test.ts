import { expect, test } from 'vitest'
import { linesBetween } from './linediff'

const lines = (n: number) => Array.from({ length: n }, (_, i) => `line ${i}`)

test('only what is around a change is shown', () => {
  const before = lines(30)
  const after = before.with(20, 'other')
  expect(linesBetween(before.join('\n'), after.join('\n'))).toEqual([
    { kind: 'skip', text: '17' },
    ...['line 17', 'line 18', 'line 19'].map((text) => ({ kind: 'same', text })),
    { kind: 'del', text: 'line 20' },
    { kind: 'add', text: 'other' },
    ...['line 21', 'line 22', 'line 23'].map((text) => ({ kind: 'same', text })),
  ])
})

test('what is the same has no rows, and what differs too much is not computed', () => {
  expect(linesBetween('a\nb\n', 'a\nb\n')).toEqual([])
  expect(
    linesBetween(
      lines(9000).join('\n'),
      lines(9000)
        .map((l) => `${l}!`)
        .join('\n'),
    ),
  ).toBe('large')
})
