import { expect, test } from 'vitest'
import type { Row } from '../../api/form'
import type { DaemonSet, StatefulSet } from '../../api/sets'
import type { State } from '../../ui/state'
import { judgeController, judgeDaemonSet, judgeStatefulSet, type Member, membersOf } from './judgesets'
import type { Problem } from './problem'

const start = Date.parse('2026-01-01T00:00:00Z')
const time = (seconds: number) => new Date(start + seconds * 1000).toISOString()
const meta = (name: string, more: object = {}) => ({
  name,
  namespace: 'shop',
  uid: name,
  resourceVersion: '1',
  creationTimestamp: time(0),
  ...more,
})
const pod = (name: string, state: State = 'ok', more: object = {}): Member => ({ meta: meta(name, more), state })
const set = (more: object = {}, status: object = {}): StatefulSet => ({ metadata: meta('db'), spec: { replicas: 3, ...more }, status })
const told = (all: readonly Problem[]) => all.map((p) => `${p.state} ${p.why} ${JSON.stringify(p.values ?? {})}`)
const late = start + 60_000

test.each<[string, StatefulSet, Member[], string[]]>([
  ['whose Pods are well', set(), [pod('db-0'), pod('db-1'), pod('db-2')], []],
  ['whose Pod is not ready', set(), [pod('db-0'), pod('db-1', 'busy')], ['warn setStuck {"ordinal":1,"name":"db-1"}']],
  ['that lacks one in the middle', set(), [pod('db-0'), pod('db-2')], ['warn setMissing {"ordinal":1,"name":"db-1"}']],
  [
    'whose Pod does not end',
    set({ replicas: 1 }),
    [pod('db-0', 'going', { deletionTimestamp: time(9) })],
    ['warn setStuck {"ordinal":0,"name":"db-0"}'],
  ],
  [
    'with its own first ordinal',
    set({ replicas: 1, ordinals: { start: 7 } }),
    [pod('db-7', 'warn')],
    ['warn setStuck {"ordinal":7,"name":"db-7"}'],
  ],
  ['whose Pod has been waited for shortly', set(), [pod('db-0', 'busy', { creationTimestamp: time(59) })], []],
  ['that has just made its first Pod', set(), [pod('db-0', 'ok', { creationTimestamp: time(59) })], []],
  ['that waits for nobody', set({ podManagementPolicy: 'Parallel' }), [pod('db-0', 'bad')], []],
  [
    'whose Pod is of an earlier template',
    set({}, { updateRevision: 'db-b' }),
    [pod('db-0', 'warn', { labels: { 'controller-revision-hash': 'db-a' } })],
    ['warn setBroken {"ordinal":0,"name":"db-0"}'],
  ],
  [
    'whose Pod is to be replaced by hand',
    set({ updateStrategy: { type: 'OnDelete' } }, { updateRevision: 'db-b' }),
    [pod('db-0', 'warn', { labels: { 'controller-revision-hash': 'db-a' } })],
    ['warn setStuck {"ordinal":0,"name":"db-0"}'],
  ],
])('STS-016, STS-019, STS-032: a StatefulSet %s', (_, s, members, want) => {
  expect(told(judgeStatefulSet(s, members, late))).toEqual(want)
})

test.each<[string, DaemonSet['status'], Member[], string[]]>([
  ['on all its nodes', { desiredNumberScheduled: 2, currentNumberScheduled: 2 }, [pod('a'), pod('b')], []],
  ['that misses nodes', { desiredNumberScheduled: 3, currentNumberScheduled: 1 }, [pod('a')], ['bad daemonMissing {"n":2,"wanted":3}']],
  [
    'with Pods that are not ready',
    { desiredNumberScheduled: 2, currentNumberScheduled: 2 },
    [pod('a', 'warn'), pod('b', 'wait', { creationTimestamp: time(55) })],
    ['warn daemonUnready {"n":1,"wanted":2}'],
  ],
  [
    'on a node too many',
    { desiredNumberScheduled: 0, currentNumberScheduled: 0, numberMisscheduled: 1 },
    [],
    ['wait daemonAstray {"n":1}'],
  ],
  ['nobody has looked at', undefined, [], []],
])('a DaemonSet %s', (_, status, members, want) => {
  expect(told(judgeDaemonSet({ metadata: meta('agent'), ...(status ? { status } : {}) }, members, late, 40_000))).toEqual(want)
})

test('a DaemonSet that a node has just joined misses nothing yet, and later since then', () => {
  const d: DaemonSet = { metadata: meta('agent'), status: { desiredNumberScheduled: 3, currentNumberScheduled: 2 } }
  expect(judgeDaemonSet(d, [], late, 2_000)).toEqual([])
  expect(judgeDaemonSet(d, [], late, 40_000)[0]?.since).toBe(late - 40_000)
})

test('a ReplicationController that cannot make Pods', () => {
  const conditions = [{ type: 'ReplicaFailure', status: 'True', reason: 'FailedCreate', lastTransitionTime: time(5) }]
  expect(told(judgeController({ metadata: meta('rc'), status: { conditions } }))).toEqual(['bad replicaFailure {}'])
  expect(judgeController({ metadata: meta('rc') })).toEqual([])
})

test('Pods are sorted by their sets', () => {
  const row = (name: string, kind: string, uid: string): Row => ({
    meta: meta(name, { ownerReferences: [{ apiVersion: 'apps/v1', kind, name: uid, uid, controller: true }] }),
    cells: ['1/1', 'Running', 'n'],
    printed: 0,
  })
  const rows = [
    row('db-0', 'StatefulSet', 's'),
    row('web-1', 'ReplicaSet', 'r'),
    row('agent-x', 'DaemonSet', 'd'),
    row('db-1', 'StatefulSet', 's'),
  ]
  const members = membersOf(rows, { ready: 0, status: 1, restarts: 3, node: 2 }, late)
  expect([...members].map(([uid, all]) => [uid, all.map((m) => `${m.meta.name} ${m.state}`)])).toEqual([
    ['s', ['db-0 ok', 'db-1 ok']],
    ['d', ['agent-x ok']],
  ])
})
