import { expect, test } from 'vitest'
import type { Deployment } from '../../api/workload'
import { deadlineOf, progressOf } from './words'

type Status = NonNullable<Deployment['status']>

const web = (status: Status, spec: Partial<Deployment['spec']> = {}): Deployment => ({
  metadata: { name: 'web', uid: 'u', resourceVersion: '1', generation: 2, creationTimestamp: '' },
  spec: { replicas: 4, selector: {}, template: {}, progressDeadlineSeconds: 600, ...spec },
  status: { observedGeneration: 2, ...status },
})
const progressing = (reason: string, lastUpdateTime = '2026-01-01T00:00:00Z') => ({
  conditions: [{ type: 'Progressing', status: 'True', reason, lastUpdateTime }],
})

test.each<[string, Deployment, string, object]>([
  ['not seen yet', web({ observedGeneration: 1 }), 'rollout.unobserved', {}],
  ['too late', web(progressing('ProgressDeadlineExceeded')), 'rollout.exceeded', {}],
  ['being updated', web({ replicas: 5, updatedReplicas: 2 }), 'rollout.updating', { updated: 2, wanted: 4 }],
  ['old ones left', web({ replicas: 5, updatedReplicas: 4 }), 'rollout.terminating', { old: 1 }],
  ['not available', web({ replicas: 4, updatedReplicas: 4, availableReplicas: 3 }), 'rollout.becoming', { available: 3, updated: 4 }],
  ['done', web({ replicas: 4, updatedReplicas: 4, availableReplicas: 4 }), 'rollout.done', {}],
  ['done and paused', web({ replicas: 4, updatedReplicas: 4, availableReplicas: 4 }, { paused: true }), 'rollout.pausedDone', {}],
  ['paused', web({ replicas: 4, updatedReplicas: 1 }, { paused: true }), 'rollout.paused', { updated: 1, wanted: 4 }],
  ['nothing is wanted', web({}, { replicas: 0 }), 'rollout.done', {}],
])('%s', (_, d, key, values) => {
  expect(progressOf(d, 0, false)).toMatchObject({ key, values })
})

test.each<[string, Deployment, number | null]>([
  ['under way', web(progressing('ReplicaSetUpdated')), Date.UTC(2026, 0, 1, 0, 10)],
  ['ended', web(progressing('NewReplicaSetAvailable')), null],
  ['paused', web(progressing('ReplicaSetUpdated'), { paused: true }), null],
  ['no deadline', web(progressing('ReplicaSetUpdated'), { progressDeadlineSeconds: 2 ** 31 - 1 }), null],
  ['nobody has said when', web(progressing('ReplicaSetUpdated', 'soon')), null],
  ['no condition', web({}), null],
])('the deadline of what is %s', (_, d, want) => {
  expect(deadlineOf(d)).toBe(want)
})
