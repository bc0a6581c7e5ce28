import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ApiError } from '../api/http'
import { Drainer, messageOf, outcome, retryAfter } from './drainer'
import type { DrainPod } from './drainplan'

const pods = (n: number): DrainPod[] =>
  Array.from({ length: n }, (_, i) => ({ metadata: { name: `p${i}`, uid: `u${i}`, resourceVersion: '1', creationTimestamp: '' } }))
const states = (d: Drainer) => [...d.steps.values()].map((s) => s.state)
const blocked = new ApiError({ message: 'budget', details: { retryAfterSeconds: 10 } }, 429)

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('few are asked for at a time, all in the end', async () => {
  let now = 0
  let most = 0
  const d = new Drainer(pods(40), async () => {
    most = Math.max(most, ++now)
    await new Promise((done) => setTimeout(done, 10))
    now--
  })
  const ran = d.run()
  await vi.runAllTimersAsync()
  await ran
  expect(most).toBe(8)
  expect(new Set(states(d))).toEqual(new Set(['told']))
})

test('what is blocked is asked for again when the server says, what is refused is not', async () => {
  const asked: string[] = []
  const d = new Drainer(pods(3), async (p) => {
    asked.push(p.metadata.name)
    if (p.metadata.name === 'p1') throw new ApiError({ message: 'no' }, 403)
    if (p.metadata.name === 'p2' && asked.filter((n) => n === 'p2').length < 3) throw blocked
  })
  const ran = d.run()
  await vi.advanceTimersByTimeAsync(9_000)
  expect(states(d)).toEqual(['told', 'failed', 'blocked'])
  await vi.advanceTimersByTimeAsync(12_000)
  await ran
  expect(states(d)).toEqual(['told', 'failed', 'told'])
  expect(asked).toEqual(['p0', 'p1', 'p2', 'p2', 'p2'])
})

test('it can be stopped while it waits', async () => {
  const d = new Drainer(pods(2), async () => {
    throw blocked
  })
  const ran = d.run()
  await vi.advanceTimersByTimeAsync(100)
  d.stop()
  await ran
  expect(states(d)).toEqual(['blocked', 'blocked'])
  expect(d.running.value).toBe(false)
})

test.each([
  [new ApiError({}, 404), 'told'],
  [new ApiError({}, 409), 'told'],
  [new ApiError({}, 429), 'blocked'],
  [new ApiError({}, 503), 'blocked'],
  [new ApiError({}, 0), 'blocked'],
  [new ApiError({}, 403), 'failed'],
  [new ApiError({}, 500), 'failed'],
  [new TypeError('x'), 'failed'],
])('%s is %s', (e, want) => {
  expect(outcome(e)).toBe(want)
})

test.each([
  [undefined, 5_000],
  [1, 5_000],
  [10, 10_000],
  [86_400, 60_000],
])('Retry-After %s is %s ms', (s, want) => {
  expect(retryAfter(new ApiError(s === undefined ? {} : { details: { retryAfterSeconds: s } }, 429))).toBe(want)
})

test('PDB-003: a refusal is told by its cause, which names the budget', () => {
  const message = 'The disruption budget db needs 2 healthy pods and has 2 currently'
  expect(messageOf(new ApiError({ message: 'Cannot evict', details: { causes: [{ reason: 'DisruptionBudget', message }] } }, 429))).toBe(
    message,
  )
  expect(messageOf(new ApiError({ message: 'no' }, 403))).toBe('no')
  expect(messageOf('odd')).toBe('odd')
})
