import { expect, test } from 'vitest'
import { goneOf, isOf } from './gone'
import type { Job } from './kinds'

const change = (name: string) => ({ name }) as Parameters<typeof goneOf>[0][number]

test('the newest runs of a CronJob are found by their names, and proved by their owner', () => {
  expect(goneOf(['hourly-2', 'other-1', 'hourly-1', 'hourlyx'].map(change), 'hourly').map((c) => c.name)).toEqual(['hourly-2', 'hourly-1'])
  expect(
    goneOf(
      Array.from({ length: 99 }, (_, i) => change(`a-${i}`)),
      'a',
    ),
  ).toHaveLength(40)
  const job = (uid: string, controller: boolean) => ({ metadata: { ownerReferences: [{ uid, controller }] } }) as unknown as Job
  expect(isOf(job('u', true), 'u')).toBe(true)
  expect(isOf(job('u', false), 'u')).toBe(false)
  expect(isOf(job('v', true), 'u')).toBe(false)
})
