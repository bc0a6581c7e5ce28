import { expect, test } from 'vitest'
import type { Row } from '../api/form'
import type { ContainerState, Pod } from '../api/pod'
import { podState, podVerdict } from './pod'
import { deploymentOf, failingOf, isFailing, placesOf, podStateOf } from './row'

const now = Date.parse('2026-01-01T01:00:00Z')
const before = (seconds: number) => new Date(now - seconds * 1000).toISOString()

test.each([
  ['Running', '1/1', 'ok'],
  ['Running', '1/2', 'busy'],
  ['Completed', '0/1', 'done'],
  ['Pending', '0/1', 'wait'],
  ['SchedulingGated', '0/1', 'wait'],
  ['ContainerCreating', '0/1', 'busy'],
  ['Init:0/2', '0/1', 'busy'],
  ['Init:CrashLoopBackOff', '0/1', 'warn'],
  ['Init:Error', '0/1', 'bad'],
  ['ErrImagePull', '0/1', 'warn'],
  ['ImagePullBackOff', '0/1', 'warn'],
  ['CreateContainerConfigError', '0/1', 'warn'],
  ['CrashLoopBackOff', '0/1', 'warn'],
  ['Error', '0/1', 'bad'],
  ['Evicted', '0/1', 'bad'],
  ['ExitCode:3', '0/1', 'bad'],
  ['OutOfcpu', '0/1', 'bad'],
  ['Terminating', '1/1', 'going'],
])('a Pod that is %s with %s is %s', (status, ready, want) => {
  expect(podState({ status, ready, restarts: '0', at: now }, now)).toBe(want)
})

test.each([
  ['7 (8s ago)', 0, 'warn'],
  ['7 (8s ago)', 595, 'ok'], // ten minutes have passed since
  ['2 (9m ago)', 0, 'warn'],
  ['2 (11m ago)', 0, 'ok'],
  ['1 (8s ago)', 0, 'ok'], // a single restart is not a loop
  ['7', 0, 'ok'],
  ['0', 0, 'ok'],
])('a Pod that runs after %s restarts, %d seconds after it was printed, is %s', (restarts, later, want) => {
  expect(podState({ status: 'Running', ready: '1/1', restarts, at: now }, now + later * 1000)).toBe(want)
})

const pod = (states: readonly ContainerState[], status: object = {}, more: object = {}): Pod => ({
  metadata: { name: 'p', uid: 'p', resourceVersion: '1', creationTimestamp: before(600), ...more },
  spec: { containers: states.map((_, i) => ({ name: `c${i}` })) },
  status: {
    phase: 'Running',
    containerStatuses: states.map((state, i) => ({ name: `c${i}`, state, ready: state.running !== undefined })),
    ...status,
  },
})
const running = { running: {} }
const exited = (exitCode: number, reason?: string): ContainerState => ({ terminated: { exitCode, ...(reason ? { reason } : {}) } })
const init = (state: ContainerState, restartPolicy?: string) => ({
  spec: { containers: [{ name: 'c0' }], initContainers: [{ name: 'i', ...(restartPolicy ? { restartPolicy } : {}) }] },
  status: { phase: 'Pending', initContainerStatuses: [{ name: 'i', state, started: restartPolicy !== undefined, ready: true }] },
})
const ready = { conditions: [{ type: 'Ready', status: 'True' }] }
const going = { deletionTimestamp: before(1) }

test.each<[string, Pod, string]>([
  ['that runs', pod([running, running]), 'ok Running'],
  ['of which one container waits', pod([{ waiting: { reason: 'CrashLoopBackOff' } }, running]), 'warn CrashLoopBackOff'],
  ['of which one container has ended', pod([exited(0, 'Completed'), running], ready), 'busy Running'],
  ['of which the last container has ended, unready', pod([exited(0, 'Completed'), running]), 'warn NotReady'],
  ['that has ended', pod([exited(0, 'Completed')], { phase: 'Succeeded' }), 'done Completed'],
  ['of which one container failed', pod([exited(0, 'Completed'), exited(3, 'Error')], { phase: 'Failed' }), 'bad Error'],
  ['whose container says only its exit code', pod([exited(3)], { phase: 'Failed' }), 'bad ExitCode:3'],
  ['whose container was ended by a signal', pod([{ terminated: { exitCode: 137, signal: 9 } }], { phase: 'Failed' }), 'bad Signal:9'],
  ['that was evicted', pod([], { phase: 'Failed', reason: 'Evicted' }), 'bad Evicted'],
  ['that waits for a node', pod([], { phase: 'Pending' }), 'wait Pending'],
  [
    'that is gated',
    pod([], { phase: 'Pending', conditions: [{ type: 'PodScheduled', status: 'False', reason: 'SchedulingGated' }] }),
    'wait SchedulingGated',
  ],
  ['that initializes', { ...pod([]), ...init(running) }, 'busy Init:0/1'],
  ['that cannot initialize', { ...pod([]), ...init(exited(1, 'Error')) }, 'bad Init:Error'],
  ['whose init container cannot be pulled', { ...pod([]), ...init({ waiting: { reason: 'ErrImagePull' } }) }, 'warn Init:ErrImagePull'],
  ['with a sidecar that has started', { ...pod([]), ...init(running, 'Always') }, 'wait Pending'],
  ['that is being deleted', pod([running], {}, going), 'going Terminating'],
  ['that has ended and is being deleted', pod([exited(0, 'Completed')], { phase: 'Succeeded' }, going), 'going Completed'],
  ['on a node that is lost', pod([running], { reason: 'NodeLost' }, going), 'going Unknown'],
])('a Pod %s', (_, p, want) => {
  const { state, word } = podVerdict(p, now)
  expect(`${state} ${word}`).toBe(want)
})

test('a Pod that runs between two crashes is in trouble until it has run for ten minutes', () => {
  const status = {
    name: 'c',
    ready: true,
    state: running,
    restartCount: 3,
    lastState: { terminated: { exitCode: 1, finishedAt: before(60) } },
  }
  const p = pod([running], { containerStatuses: [status] })
  expect(podVerdict(p, now)).toEqual({ state: 'warn', word: 'Running' })
  expect(podVerdict(p, now + 540_000)).toEqual({ state: 'ok', word: 'Running' })
})

const columns = ['Name', 'Ready', 'Status', 'Restarts', 'Age', 'IP', 'Node'].map((name) => ({
  ...{ name, type: 'string', format: '', description: '', priority: 0 },
}))
const row = (name: string, status: string, kind: string, owner: string): Row => ({
  meta: {
    ...{ name, namespace: 'shop', uid: name, resourceVersion: '1', creationTimestamp: '', labels: { 'pod-template-hash': 'abc' } },
    ownerReferences: [{ apiVersion: 'apps/v1', kind, name: owner, uid: owner, controller: true }],
  },
  cells: [name, status === 'Running' ? '1/1' : '0/1', status, '0', '1m', '', 'n'],
  printed: now,
})

test('the workloads of which Pods fail are found by their rows, Deployments too', () => {
  const places = placesOf(columns)
  if (!places) throw new Error('no places')
  const rows = [
    row('a', 'CrashLoopBackOff', 'ReplicaSet', 'web-abc'),
    row('b', 'Running', 'ReplicaSet', 'api-abc'),
    row('c', 'Evicted', 'StatefulSet', 'db'),
  ]
  expect(rows.map((r) => podStateOf(r, places, now))).toEqual(['warn', 'ok', 'bad'])
  expect(rows.map((r) => deploymentOf(r.meta))).toEqual(['web', 'api', undefined])
  const failing = failingOf(rows, places, now)
  expect([...failing]).toEqual(['web-abc', 'shop/web', 'db'])
  const of = (name: string) => ({ name, namespace: 'shop', uid: name, resourceVersion: '1', creationTimestamp: '' })
  expect(isFailing(failing, 'deployments.apps', of('web'))).toBe(true)
  expect(isFailing(failing, 'deployments.apps', of('db'))).toBe(false)
  expect(isFailing(failing, 'statefulsets.apps', of('db'))).toBe(true)
  expect(placesOf([])).toBeNull()
})
