import { expect, test } from 'vitest'
import type { Row } from '../../api/form'
import { causeOf } from './cause'

const places = { ready: 1, status: 2, restarts: 4, node: 3 }
const row = (name: string, hash: string, ready: string, status: string): Row => ({
  meta: { name, uid: name, resourceVersion: '1', creationTimestamp: '2026-01-01T00:00:00Z', labels: { 'pod-template-hash': hash } },
  cells: [name, ready, status, 'node-1'],
  printed: 0,
})
const now = Date.parse('2026-01-01T01:00:00Z')

test('the cause is what most new Pods are in, beside the old ones that serve', () => {
  const rows = [
    row('new-b', 'new', '0/1', 'ImagePullBackOff'),
    row('new-a', 'new', '0/1', 'ErrImagePull'),
    row('new-c', 'new', '0/1', 'CrashLoopBackOff'),
    row('old-a', 'old', '1/1', 'Running'),
    row('old-b', 'old', '0/1', 'CrashLoopBackOff'),
  ]
  expect(causeOf(rows, places, 'new', now)).toEqual({ why: 'pull', n: 2, pod: 'new-a', serving: 1 })
})

test('there is none where the new Pods are well, whatever the old ones are in', () => {
  expect(causeOf([row('new', 'new', '1/1', 'Running'), row('old', 'old', '0/1', 'Error')], places, 'new', now)).toBeNull()
  expect(causeOf([], places, 'new', now)).toBeNull()
})
