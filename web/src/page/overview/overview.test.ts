import { describe, expect, test } from 'vitest'
import type { Column, Row } from '../../api/form'
import type { Condition } from '../../api/object'
import type { Pod } from '../../api/pod'
import { partsOf } from '../../ui/statebar'
import { placesOf } from '../../verdict/row'
import { detailOf } from './detail'
import { happeningsOf, judgeEvents } from './events'
import { gather, judgeClaim, judgeDeployment, judgeJob, judgeNamespace, judgeNode, judgeQuota } from './judge'
import { ownersOf } from './owners'
import { judgePods } from './pods'
import { ordered, type Problem } from './problem'
import { countPods, tally, totalOf } from './tally'

const start = Date.parse('2026-01-01T00:00:00Z')
const time = (seconds: number) => new Date(start + seconds * 1000).toISOString()
const meta = (name: string, more: object = {}) => ({
  name,
  namespace: 'shop',
  uid: `uid-${name}`,
  resourceVersion: '1',
  creationTimestamp: time(0),
  ...more,
})
const condition = (type: string, status: string, reason = '', message = ''): Condition => ({
  type,
  status,
  reason,
  message,
  lastTransitionTime: time(5),
})
const told = (all: readonly Problem[]) => all.map((p) => `${p.state} ${p.why} ${p.about.kind} ${p.about.name}: ${p.reason}`)

describe('what is wrong', () => {
  test('with Deployments: rollouts that stand still, Pods that cannot be created', () => {
    const conditions = [
      condition('Progressing', 'False', 'ProgressDeadlineExceeded', 'timed out'),
      condition('ReplicaFailure', 'True', 'FailedCreate', 'forbidden'),
    ]
    const d = { metadata: meta('web'), spec: { progressDeadlineSeconds: 20 }, status: { conditions } }
    expect(told(judgeDeployment(d))).toEqual([
      'bad stalled Deployment web: ProgressDeadlineExceeded',
      'bad replicaFailure Deployment web: FailedCreate',
    ])
    expect(judgeDeployment(d)[0]).toMatchObject({ values: { seconds: 20 }, message: 'timed out', since: start + 5000, count: 1 })
    expect(judgeDeployment({ metadata: meta('web'), status: { conditions: [condition('Progressing', 'True')] } })).toEqual([])
    expect(judgeDeployment({ metadata: meta('web') })).toEqual([])
  })

  test.each([
    ['BackoffLimitExceeded', 'jobBackoff'],
    ['DeadlineExceeded', 'jobDeadline'],
    ['PodFailurePolicy', 'jobPolicy'],
    ['FailedIndexes', 'jobIndexes'],
    ['MaxFailedIndexesExceeded', 'jobManyIndexes'],
    ['SomethingNew', 'jobOther'],
  ])('with a Job that failed by %s: %s', (reason, why) => {
    const j = { metadata: meta('import'), status: { conditions: [condition('Failed', 'True', reason)] } }
    expect(told(judgeJob(j))).toEqual([`bad ${why} Job import: ${reason}`])
    expect(judgeJob({ metadata: meta('import'), status: { conditions: [condition('Complete', 'True')] } })).toEqual([])
  })

  test('with the Jobs of a CronJob is one problem, about the newest', () => {
    const ownerReferences = [{ apiVersion: 'batch/v1', kind: 'CronJob', name: 'nightly', uid: 'c', controller: true }]
    const failed = (name: string, at: string) => ({
      metadata: meta(name, { ownerReferences }),
      status: { conditions: [{ ...condition('Failed', 'True', 'BackoffLimitExceeded'), lastTransitionTime: at }] },
    })
    const [one, ...rest] = gather([failed('n-1', time(1)), failed('n-2', time(9)), failed('n-3', time(3))].flatMap(judgeJob))
    expect(rest).toEqual([])
    expect(one).toMatchObject({ count: 3, since: start + 9000, about: { name: 'n-2' }, owner: { kind: 'CronJob', name: 'nightly' } })
  })

  test('with nodes', () => {
    const node = (conditions: Condition[], spec: object = {}) => ({ metadata: meta('n'), spec, status: { conditions } })
    expect(
      told(judgeNode(node([condition('Ready', 'False', 'KubeletNotReady'), condition('DiskPressure', 'True', 'KubeletHasDiskPressure')]))),
    ).toEqual(['bad nodeNotReady Node n: KubeletNotReady', 'warn diskPressure Node n: KubeletHasDiskPressure'])
    expect(told(judgeNode(node([condition('Ready', 'Unknown', 'NodeStatusUnknown')])))).toEqual([
      'bad nodeUnknown Node n: NodeStatusUnknown',
    ])
    const taints = [{ key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule', timeAdded: time(7) }]
    const [cordoned] = judgeNode(node([condition('Ready', 'True')], { unschedulable: true, taints }))
    expect(cordoned).toMatchObject({ why: 'cordoned', state: 'wait', since: start + 7000 })
    expect(judgeNode(node([condition('Ready', 'True'), condition('MemoryPressure', 'False')]))).toEqual([])
  })

  test('with claims that wait longer than they should, or have lost their volume', () => {
    const claim = (phase: string) => ({ metadata: meta('data'), spec: { storageClassName: 'fast' }, status: { phase } })
    expect(judgeClaim(claim('Pending'), start + 9000)).toEqual([])
    expect(told(judgeClaim(claim('Pending'), start + 60_000))).toEqual(['wait claimPending PersistentVolumeClaim data: Pending'])
    expect(told(judgeClaim(claim('Lost'), start))).toEqual(['bad claimLost PersistentVolumeClaim data: Lost'])
    expect(judgeClaim(claim('Bound'), start + 60_000)).toEqual([])
  })

  test('with namespaces that should be gone', () => {
    const n = {
      metadata: meta('old', { deletionTimestamp: time(0) }),
      status: {
        conditions: [
          condition('NamespaceContentRemaining', 'True', 'SomeResourcesRemain'),
          condition('NamespaceFinalizersRemaining', 'True', 'SomeFinalizersRemain'),
        ],
      },
    }
    expect(judgeNamespace(n, start + 5000)).toEqual([])
    expect(told(judgeNamespace(n, start + 60_000))).toEqual(['warn namespaceStuck Namespace old: SomeFinalizersRemain'])
    expect(judgeNamespace({ metadata: meta('new') }, start + 60_000)).toEqual([])
  })

  test('with quotas that are used up, but not with those of nothing', () => {
    const q = {
      metadata: meta('few'),
      status: { hard: { pods: '2', 'requests.cpu': '1', secrets: '0' }, used: { pods: '2', 'requests.cpu': '999m' } },
    }
    expect(judgeQuota(q)[0]).toMatchObject({ why: 'quotaFull', values: { resources: 'pods' }, message: 'pods: 2/2', since: null })
    expect(judgeQuota({ metadata: meta('few') })).toEqual([])
    expect(judgeQuota({ metadata: meta('few'), status: { hard: { memory: '1Gi' }, used: { memory: '1024Mi' } } })).toHaveLength(1)
  })
})

const columns = (...names: string[]): Column[] => names.map((name) => ({ name, type: 'string', format: '', description: '', priority: 0 }))
const podColumns = columns('Name', 'Ready', 'Status', 'Restarts', 'Age', 'IP', 'Node')
const places = placesOf(podColumns) ?? { ready: 0, status: 0, restarts: 0, node: 0 }
const pod = (name: string, ready: string, status: string, more: object = {}): Row => ({
  meta: meta(name, more),
  cells: [name, ready, status, '0', '1m', '', status === 'Pending' ? '<none>' : 'node-1'],
  printed: start,
})
const of = (kind: string, name: string) => ({
  ownerReferences: [{ apiVersion: kind === 'Job' ? 'batch/v1' : 'apps/v1', kind, name, uid: `uid-${name}`, controller: true }],
  labels: { 'pod-template-hash': name },
})

describe('what is wrong with Pods', () => {
  const owners = ownersOf([], [])
  const later = start + 600_000
  test.each([
    ['1/1', 'Running', {}, []],
    ['0/1', 'Running', {}, ['warn notReady Pod p: NotReady']],
    ['0/1', 'Completed', {}, []],
    ['0/1', 'Pending', {}, ['wait unscheduled Pod p: Pending']],
    ['0/1', 'SchedulingGated', {}, []],
    ['0/1', 'ContainerCreating', {}, []],
    ['0/1', 'ImagePullBackOff', {}, ['warn pull Pod p: ImagePullBackOff']],
    ['0/1', 'Init:ErrImagePull', {}, ['warn pull Pod p: Init:ErrImagePull']],
    ['0/1', 'InvalidImageName', {}, ['warn imageName Pod p: InvalidImageName']],
    ['0/1', 'CrashLoopBackOff', {}, ['warn crash Pod p: CrashLoopBackOff']],
    ['0/1', 'CreateContainerConfigError', {}, ['warn config Pod p: CreateContainerConfigError']],
    ['0/1', 'OOMKilled', {}, ['bad memory Pod p: OOMKilled']],
    ['0/1', 'Evicted', {}, ['bad evicted Pod p: Evicted']],
    ['0/1', 'Error', {}, ['bad podFailed Pod p: Error']],
    ['0/1', 'Error', of('Job', 'j'), []],
    ['0/1', 'Error', of('ReplicaSet', 'r'), ['bad crash Pod p: Error']],
    ['1/1', 'Terminating', { deletionTimestamp: time(0) }, ['warn podStuck Pod p: Terminating']],
    ['1/1', 'Terminating', { deletionTimestamp: time(590) }, []],
  ])('%s %s %j', (ready, status, more, want) => {
    expect(told(judgePods([pod('p', ready, status, more)], places, later, owners))).toEqual(want)
  })

  test('waiting is told of only after a while', () => {
    expect(judgePods([pod('p', '0/1', 'Pending')], places, start + 1000, owners)).toEqual([])
    expect(judgePods([pod('p', '0/1', 'Running')], places, start + 30_000, owners)).toEqual([])
    const bound = { ...pod('p', '0/1', 'Pending'), cells: pod('p', '0/1', 'Running').cells.with(2, 'Pending') }
    expect(judgePods([bound], places, later, owners)).toEqual([])
  })

  test('500 Pods of one ReplicaSet that fail alike are one problem, told of the oldest', () => {
    const rows = Array.from({ length: 500 }, (_, i) =>
      pod(`web-${i}`, '0/1', i % 2 ? 'ErrImagePull' : 'ImagePullBackOff', {
        ...of('ReplicaSet', 'web'),
        creationTimestamp: time((i * 7) % 500),
      }),
    )
    const [one, ...rest] = judgePods([...rows, pod('web-x', '0/1', 'CrashLoopBackOff', of('ReplicaSet', 'web'))], places, later, owners)
    expect(one).toMatchObject({
      count: 500,
      why: 'pull',
      about: { name: 'web-0' },
      owner: { resource: 'replicasets.apps', name: 'web' },
      labels: 'pod-template-hash=web',
      since: start,
    })
    expect(told(rest)).toEqual(['warn crash Pod web-x: CrashLoopBackOff'])
  })

  const whole = (status: Pod['status']): Pod => ({ metadata: meta('p'), ...(status ? { status } : {}) })
  test('a whole Pod tells more: the scheduler’s message, the puller’s, the exit code', () => {
    const unschedulable = whole({ conditions: [condition('PodScheduled', 'False', 'Unschedulable', '0/3 nodes')] })
    expect(detailOf(unschedulable, 'unscheduled')).toEqual({
      why: 'unschedulable',
      reason: 'Unschedulable',
      message: '0/3 nodes',
      exitCode: null,
      since: start + 5000,
    })
    expect(detailOf(whole({}), 'unscheduled')).toEqual({ message: '', exitCode: null, since: null })
    const pulling = whole({
      containerStatuses: [{ name: 'c', state: { waiting: { reason: 'ImagePullBackOff', message: 'web:2: not found' } } }],
    })
    expect(detailOf({ ...pulling, spec: { containers: [{ name: 'c', image: 'web:2' }] } }, 'pull')).toEqual({
      message: 'web:2: not found',
      exitCode: null,
      since: null,
      image: 'web:2',
      refusal: 'not found',
    })
    const crashing = whole({
      containerStatuses: [
        { name: 'fine', lastState: { terminated: { exitCode: 0 } } },
        { name: 'c', state: { waiting: { reason: 'CrashLoopBackOff', message: 'back-off' } }, lastState: { terminated: { exitCode: 3 } } },
      ],
    })
    expect(detailOf(crashing, 'crash')).toEqual({ message: 'back-off', exitCode: 3, since: null })
    expect(detailOf(whole(undefined), 'crash')).toEqual({ message: '', exitCode: null, since: null })
  })
})

test('the newest problems come first, those of no known time last', () => {
  const p = (id: string, since: number | null): Problem => ({
    id,
    since,
    state: 'bad',
    why: 'pull',
    reason: '',
    message: '',
    count: 1,
    about: { resource: '', kind: '', namespace: '', name: '' },
  })
  expect(ordered([p('c', null), p('a', 1), p('b', 2), p('d', 1)]).map((x) => x.id)).toEqual(['b', 'a', 'd', 'c'])
})

test('Pods are counted by state, namespace and node; those that have ended are on no node', () => {
  const rows = [pod('a', '1/1', 'Running'), pod('b', '0/1', 'Completed'), pod('c', '0/1', 'Pending', { namespace: 'x' })]
  const counts = countPods(rows, places, start)
  expect(counts.all).toEqual({ ok: 1, done: 1, wait: 1 })
  expect(Object.fromEntries(counts.namespaces)).toEqual({ shop: { ok: 1, done: 1 }, x: { wait: 1 } })
  expect(Object.fromEntries(counts.nodes)).toEqual({ 'node-1': { ok: 1 } })
  expect(totalOf(counts.all)).toBe(3)
  expect(totalOf(tally(['ok', 'ok', 'bad']))).toBe(3)
})

test('Events are the newest first, and tell of missed runs', () => {
  const all = columns('Last Seen', 'Type', 'Reason', 'Object', 'Message')
  const event = (name: string, seen: string, reason: string, object: string): Row => ({
    meta: meta(name),
    cells: [seen, 'Warning', reason, object, 'because'],
    printed: start,
  })
  const rows = [
    event('a', '5m', 'BackOff', 'pod/a'),
    event('b', '10s', 'MissSchedule', 'cronjob/nightly'),
    event('c', '2h', 'Old', 'pod/c'),
  ]
  const found = happeningsOf(rows, all, 2)
  expect(found.map((h) => [h.reason, h.seen])).toEqual([
    ['MissSchedule', start - 10_000],
    ['BackOff', start - 300_000],
  ])
  expect(told(judgeEvents(found))).toEqual(['warn missed CronJob nightly: MissSchedule'])
})

test('the parts of a bar fill it, what is wrong first', () => {
  expect(partsOf({ ok: 3, bad: 1, idle: 0 })).toEqual([
    { state: 'bad', n: 1, x: 0, width: 25 },
    { state: 'ok', n: 3, x: 25, width: 75 },
  ])
  expect(partsOf({})).toEqual([])
})
