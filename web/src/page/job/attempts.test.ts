import { expect, test } from 'vitest'
import type { Pod } from '../../api/pod'
import { anchorAt, attemptsOf, axisOf, labelAt, runOf } from './attempts'
import type { Job } from './kinds'

const time = (s: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, s)).toISOString().replace('.000', '')
const ms = (s: number) => Date.parse(time(s))
const metadata = (name: string, s: number) => ({ name, uid: name, resourceVersion: '1', creationTimestamp: time(s) })

test('attempts come in their order, each with its end and what became of it', () => {
  const pods: Pod[] = [
    {
      metadata: metadata('second', 12),
      status: { phase: 'Running', containerStatuses: [{ name: 'c', ready: true, state: { running: {} } }] },
    },
    {
      metadata: metadata('first', 0),
      status: {
        phase: 'Failed',
        containerStatuses: [{ name: 'c', state: { terminated: { finishedAt: time(2), exitCode: 3, reason: 'Error' } } }],
      },
    },
    {
      metadata: metadata('third', 20),
      status: { phase: 'Pending', containerStatuses: [{ name: 'c', state: { waiting: { reason: 'ErrImagePull' } } }] },
    },
    {
      metadata: metadata('evicted', 30),
      status: { phase: 'Failed', reason: 'Evicted', conditions: [{ type: 'Ready', status: 'False', lastTransitionTime: time(33) }] },
    },
    { metadata: metadata('unknown', 40), status: { phase: 'Failed' } },
  ]
  expect(attemptsOf(pods, ms(50))).toEqual([
    { name: 'first', from: ms(0), to: ms(2), state: 'bad', note: 'Error, exit code 3' },
    { name: 'second', from: ms(12), to: Number.POSITIVE_INFINITY, state: 'ok', note: 'Running' },
    { name: 'third', from: ms(20), to: Number.POSITIVE_INFINITY, state: 'warn', note: 'ErrImagePull' },
    { name: 'evicted', from: ms(30), to: ms(33), state: 'bad', note: 'Evicted' },
    { name: 'unknown', from: ms(40), to: ms(40), state: 'bad', note: 'Failed' },
  ])
})

const job = (status: NonNullable<Job['status']>, spec: Job['spec'] = {}): Job => ({ metadata: metadata('j', 0), spec, status })
test.each<[string, Job, [string, number, string]]>([
  [
    'complete',
    job({ startTime: time(1), completionTime: time(5), conditions: [{ type: 'Complete', status: 'True' }] }),
    ['done', ms(5), 'Complete'],
  ],
  [
    'failed',
    job({ conditions: [{ type: 'Failed', status: 'True', reason: 'DeadlineExceeded', lastTransitionTime: time(9) }] }),
    ['bad', ms(9), 'DeadlineExceeded'],
  ],
  ['running', job({ active: 1 }), ['busy', Number.POSITIVE_INFINITY, '']],
  ['trying again', job({ active: 1, failed: 2 }), ['warn', Number.POSITIVE_INFINITY, '']],
  ['suspended', job({}, { suspend: true }), ['idle', Number.POSITIVE_INFINITY, '']],
])('a run that is %s', (_, of, [state, to, note]) => {
  expect(runOf(of)).toMatchObject({ state, to, note })
})

test('an axis has round ticks within it', () => {
  const a = axisOf([ms(0), ms(100), Number.POSITIVE_INFINITY], 6)
  expect(a.ticks).toEqual([0, 30, 60, 90].map(ms))
  expect(a.x(ms(0))).toBeCloseTo(0.019, 2)
  expect([a.x(ms(-1000)), a.x(Number.POSITIVE_INFINITY)]).toEqual([0, 1])
})

test.each([[[]], [[ms(5)]]])('an axis of %j has a width', (times) => {
  const a = axisOf(times, 5)
  expect(a.to - a.from).toBeGreaterThanOrEqual(1000)
})

test.each([
  ['behind its bar', 10, 100, { mark: 109, text: 119, anchor: 'start' }],
  ['before it', 400, 560, { mark: 391, text: 381, anchor: 'end' }],
  ['on it, where neither has room', 30, 560, { mark: 39, text: 49, anchor: 'start' }],
])('a label stands %s', (_, from, to, want) => {
  expect(labelAt(from, to, 20, 560)).toEqual(want)
})

test('the time of a tick at an end of the picture is whole', () => {
  expect([8, 39, 40, 280, 520, 521, 552].map((x) => anchorAt(x, 560))).toEqual([
    'start',
    'start',
    'middle',
    'middle',
    'middle',
    'end',
    'end',
  ])
})
