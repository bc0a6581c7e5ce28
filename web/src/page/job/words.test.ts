import { expect, test } from 'vitest'
import type { Job } from './kinds'
import { wordsOf } from './words'

const job = (status: NonNullable<Job['status']>, spec: Job['spec'] = {}): Job => ({
  metadata: { name: 'j', uid: 'u', resourceVersion: '1', creationTimestamp: '' },
  spec,
  status,
})
const is = (type: string, reason: string, message = '') => ({ conditions: [{ type, status: 'True', reason, message }] })

test.each<[Job, string, string, string]>([
  [job(is('Failed', 'BackoffLimitExceeded', 'too often')), 'bad', 'job.failed', 'BackoffLimitExceeded: too often'],
  [job({ succeeded: 3, ...is('Complete', 'CompletionsReached') }, { completions: 3 }), 'done', 'job.complete', 'CompletionsReached'],
  [job({ active: 1, ...is('FailureTarget', 'DeadlineExceeded') }), 'bad', 'job.failing', 'DeadlineExceeded'],
  [job({}, { suspend: true }), 'idle', 'job.suspended', ''],
  [job({ failed: 2 }), 'warn', 'job.backoff', ''],
  [job({ failed: 2, active: 1 }), 'warn', 'job.running', ''],
  [job({ active: 1 }), 'busy', 'job.running', ''],
])('%j', (of, state, key, raw) => {
  expect(wordsOf(of)).toMatchObject({ state, key, raw })
})
