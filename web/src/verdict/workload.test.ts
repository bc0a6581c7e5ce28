import { expect, test } from 'vitest'
import { stateOf } from './state'
import { deploymentVerdict, type Rollable } from './workload'

const start = Date.parse('2026-01-01T00:00:00Z')
const condition = (type: string, status: string, reason: string) => ({ type, status, reason, lastTransitionTime: '2026-01-01T00:00:00Z' })
const web = (status: Rollable['status'], spec: Rollable['spec'] = {}, metadata: object = {}): Rollable => ({
  metadata: { name: 'web', uid: 'u', resourceVersion: '1', generation: 2, creationTimestamp: '', ...metadata },
  spec: { replicas: 3, ...spec },
  status: { observedGeneration: 2, ...status },
})
const full = { replicas: 3, updatedReplicas: 3, availableReplicas: 3 }
const crashing = {
  ...full,
  availableReplicas: 0,
  conditions: [condition('Progressing', 'True', 'NewReplicaSetAvailable'), condition('Available', 'False', 'MinimumReplicasUnavailable')],
}
const stalled = {
  replicas: 4,
  updatedReplicas: 1,
  availableReplicas: 3,
  conditions: [condition('Progressing', 'False', 'ProgressDeadlineExceeded')],
}

test.each<[string, Rollable, string, string]>([
  ['all available', web(full), 'ok', 'Available'],
  ['nothing known of what was seen', web({ ...full, observedGeneration: undefined } as never), 'ok', 'Available'],
  ['not seen yet', web({ ...full, observedGeneration: 1 }), 'busy', 'Progressing'],
  ['old ones left', web({ ...full, replicas: 4 }), 'busy', 'Progressing'],
  ['not available', web({ ...full, availableReplicas: 2 }), 'busy', 'Progressing'],
  ['finished and paused', web(full, { paused: true }), 'idle', 'Paused'],
  ['under way and paused', web({ ...full, updatedReplicas: 1 }, { paused: true }), 'idle', 'Paused'],
  ['stalled', web(stalled), 'bad', 'ProgressDeadlineExceeded'],
  ['stalled, then paused', web(stalled, { paused: true }), 'bad', 'ProgressDeadlineExceeded'],
  ['refused Pods', web({ conditions: [condition('ReplicaFailure', 'True', 'FailedCreate')] }), 'bad', 'FailedCreate'],
  ['all crashing', web(crashing), 'warn', 'MinimumReplicasUnavailable'],
  ['nothing wanted', web({}, { replicas: 0 }), 'idle', 'Available'],
  ['being deleted', web(full, {}, { deletionTimestamp: '2026-01-01T00:00:00Z' }), 'going', 'Terminating'],
])('a Deployment with %s', (_, d, state, word) => {
  expect(deploymentVerdict(d, start + 60_000)).toEqual({ state, word })
  // A table says the same of its row.
  expect(stateOf('deployments.apps', d.metadata, () => '', { object: d, now: start + 60_000, printed: 0 })).toBe(state)
})

test('a Deployment that is short of Pods is in trouble where some of them fail', () => {
  expect(deploymentVerdict(web({ ...full, replicas: 4, updatedReplicas: 1 }), start, true)).toEqual({ state: 'warn', word: 'Progressing' })
  expect(deploymentVerdict(web(full), start, true)).toEqual({ state: 'ok', word: 'Available' })
})

test('a Deployment that scales up is not in trouble at once', () => {
  expect(deploymentVerdict(web(crashing), start + 5_000)).toEqual({ state: 'busy', word: 'Progressing' })
})
