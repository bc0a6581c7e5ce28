import { expect, test } from 'vitest'
import type { Pod } from '../../api/pod'
import { cellsOf, has, mostCells, parseIndexes } from './cells'
import type { Job } from './kinds'

test.each([
  ['', []],
  ['3', [{ first: 3, last: 3 }]],
  [
    '0-4,6',
    [
      { first: 0, last: 4 },
      { first: 6, last: 6 },
    ],
  ],
  ['x,4-2,-', []],
])('parseIndexes(%j)', (text, want) => {
  expect(parseIndexes(text)).toEqual(want)
})

test('has finds what is in ranges, and nothing between them', () => {
  const ranges = parseIndexes('1,3-5,9-12')
  expect([0, 1, 2, 3, 4, 5, 6, 8, 9, 12, 13].filter((i) => has(ranges, i))).toEqual([1, 3, 4, 5, 9, 12])
})

const metadata = { name: 'j', uid: 'u', resourceVersion: '1', creationTimestamp: '2026-01-01T00:00:00Z' }
const job = (spec: Job['spec'], status: NonNullable<Job['status']> = {}): Job => ({ metadata, spec, status })
const pod = (name: string, index: number, phase: string, second = 0): Pod => ({
  metadata: {
    ...metadata,
    name,
    creationTimestamp: `2026-01-01T00:00:${String(second).padStart(2, '0')}Z`,
    annotations: { 'batch.kubernetes.io/job-completion-index': String(index) },
  },
  status: { phase },
})

test('each index of an Indexed Job has a square', () => {
  const indexed = job({ completionMode: 'Indexed', completions: 6 }, { completedIndexes: '0', failedIndexes: '1' })
  const pods = [
    pod('a', 0, 'Succeeded'),
    pod('b', 1, 'Failed'),
    pod('c', 2, 'Running'),
    pod('d1', 3, 'Failed', 1),
    pod('d2', 3, 'Pending', 5),
    pod('e', 4, 'Failed'),
  ]
  expect(cellsOf(indexed, pods).map((c) => [c.state, c.failures, c.pod])).toEqual([
    ['done', 0, 'a'],
    ['bad', 1, 'b'],
    ['busy', 0, 'c'],
    ['warn', 1, 'd2'],
    ['warn', 1, 'e'],
    ['wait', 0, ''],
  ])
})

test('too many indexes share squares, which show the worst', () => {
  const many = cellsOf(
    job({ completionMode: 'Indexed', completions: 100_000 }, { completedIndexes: '0-99998', failedIndexes: '99999' }),
    [],
  )
  expect(many).toHaveLength(mostCells)
  expect(many[0]).toEqual({ first: 0, last: 49, state: 'done', failures: 0, pod: '' })
  expect(many.at(-1)?.state).toBe('bad')
})

test.each<[string, Job, string[]]>([
  ['under way', job({ completions: 4 }, { succeeded: 1, active: 2 }), ['done', 'busy', 'busy', 'wait']],
  ['suspended', job({ completions: 2, suspend: true }), ['idle', 'idle']],
  ['failed', job({ completions: 2 }, { succeeded: 1, conditions: [{ type: 'Failed', status: 'True' }] }), ['done', 'bad']],
])('a Job without indexes that is %s', (_, of, want) => {
  expect(cellsOf(of, []).map((c) => c.state)).toEqual(want)
})
