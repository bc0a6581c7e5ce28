import { describe, expect, test } from 'vitest'
import type { Row } from '../../api/form'
import type { KubeObject } from '../../api/object'
import type { ReplicaSet } from '../../api/workload'
import { beganIn, loopBegan, type Sample, troubleForm } from './began'
import { causeText } from './causewords'
import { refusalsIn } from './events'
import { folded, isRollout } from './fold'
import { noteImages, withImages } from './images'
import { ownersOf } from './owners'
import { judgePods } from './pods'
import type { Problem } from './problem'

const start = Date.parse('2026-01-01T00:00:00Z')
const time = (seconds: number) => new Date(start + seconds * 1000).toISOString()
const minute = 60_000
const places = { ready: 0, status: 1, restarts: 2, node: 3 }

const controller = (kind: string, name: string) => [
  { apiVersion: kind === 'CronJob' ? 'batch/v1' : 'apps/v1', kind, name, uid: `uid-${name}`, controller: true },
]
const meta = (name: string, kind: string, owner: string, seconds = 0) => ({
  ...{ name, namespace: 'shop', uid: `uid-${name}`, resourceVersion: '1', creationTimestamp: time(seconds) },
  ownerReferences: controller(kind, owner),
})
const set = (name: string, revision: number): ReplicaSet => ({
  metadata: { ...meta(name, 'Deployment', 'web'), annotations: { 'deployment.kubernetes.io/revision': String(revision) } },
  spec: { selector: {}, template: {} },
})
const pod = (name: string, owner: string, status: string, restarts = '0', ready = '0/1'): Row => ({
  meta: meta(name, 'ReplicaSet', owner),
  cells: [ready, status, restarts, 'node-1'],
  printed: start + 10 * minute,
})
const now = start + 10 * minute
const owners = ownersOf([set('web-1', 1), set('web-3', 3), set('web-2', 2)], [{ metadata: meta('nightly-7', 'CronJob', 'nightly') }])

describe('the root of what is wrong with Pods', () => {
  test('is the Deployment: of its new Pods, beside the old ones that are ready', () => {
    const rows = [
      pod('n1', 'web-3', 'ImagePullBackOff'),
      pod('n2', 'web-3', 'ErrImagePull'),
      pod('o1', 'web-2', 'Running', '0', '1/1'),
      pod('o2', 'web-2', 'Running', '0', '1/1'),
    ]
    const [one, ...rest] = judgePods(rows, places, now, owners)
    expect(rest).toEqual([])
    expect(one).toMatchObject({
      id: 'uid-web/pull',
      count: 2,
      owner: { resource: 'deployments.apps', kind: 'Deployment', name: 'web' },
      fresh: { serving: 2 },
      previous: { metadata: { name: 'web-2' } },
    })
    expect(one && isRollout(one)).toBe(true)
  })

  test('is told without new and old where there are no old ones, and apart where old ones fail', () => {
    expect(judgePods([pod('n1', 'web-3', 'ErrImagePull')], places, now, owners)[0]).not.toHaveProperty('fresh')
    const both = judgePods([pod('n1', 'web-3', 'ErrImagePull'), pod('o1', 'web-2', 'ErrImagePull')], places, now, owners)
    expect(both.map((p) => p.id)).toEqual(['uid-web/pull', 'uid-web/pull/old'])
    expect(both[1]).not.toHaveProperty('previous')
  })

  test('is the CronJob of a Job, and else the owner', () => {
    const row = { ...pod('p', 'x', 'ErrImagePull'), meta: meta('p', 'Job', 'nightly-7') }
    expect(judgePods([row], places, now, owners)[0]?.owner).toMatchObject({ resource: 'cronjobs.batch', name: 'nightly' })
    expect(judgePods([pod('p', 'alone', 'ErrImagePull')], places, now, owners)[0]?.owner).toMatchObject({ kind: 'ReplicaSet' })
  })

  test.each(['CrashLoopBackOff', 'Error', 'OOMKilled', 'Running'])('a crash loop stays one problem while its Pod is %s', (status) => {
    const [one] = judgePods([pod('p', 'web-3', status, '4 (9s ago)', status === 'Running' ? '1/1' : '0/1')], places, now, owners)
    expect(one).toMatchObject({ id: 'uid-web/crash', count: 1 })
  })

  test('a crash loop of an old Pod did not begin when the Pod was made', () => {
    const old = { ...pod('p', 'web-3', 'CrashLoopBackOff', '3 (10s ago)'), printed: start + 86_400_000 }
    expect(judgePods([old], places, old.printed, owners)[0]?.since).toBe(old.printed - 40_000)
  })
})

test.each([
  [{ n: 0, last: null }, 0],
  [{ n: 1, last: start + minute }, start + minute],
  [{ n: 3, last: start + minute }, start + 30_000],
  [{ n: 9, last: start + 100 * minute }, start + 100 * minute - (310 + 900) * 1000],
  [{ n: 9, last: start + minute }, start],
])('a loop of %j began at %d at the latest', (restarts, want) => {
  expect(loopBegan(restarts, start)).toBe(want || start)
})

describe('the log tells when trouble began', () => {
  const samples = (...all: readonly [at: number, failing: boolean][]): Sample[] =>
    all.map(([at, failing], i) => ({ revision: i + 1, at: at * minute, failing })).reverse()
  test.each<[string, Sample[], number | null]>([
    ['nothing has happened', [], null],
    ['all was well', samples([0, false]), null],
    ['it failed at once', samples([0, false], [1, true]), 1],
    ['it ran between crashes', samples([0, false], [1, true], [2, false], [8, true], [9, false], [10, true]), 1],
    ['it runs just now', samples([0, false], [1, true], [2, false], [3, true], [4, false]), 1],
    ['it was well for a while', samples([0, true], [1, false], [20, true], [21, false], [22, true]), 20],
  ])('where %s', (_, all, want) => {
    expect(beganIn(all)).toBe(want === null ? null : want * minute)
  })

  test('by what each change left of the Pod', () => {
    const change = { revision: 5, at: time(9), verb: 'updated' as const, uid: 'p', resource: 'pods' }
    const object = { metadata: meta('p', 'ReplicaSet', 'web-3'), status: { phase: 'Failed' } } as KubeObject
    expect(troubleForm.sampleOf({ ...change, object })).toEqual({ revision: 5, at: start + 9000, failing: true })
    expect(troubleForm.sampleOf({ ...change, verb: 'deleted', object })).toBeUndefined()
  })
})

describe('one cause is one problem', () => {
  const problem = (why: Problem['why'], kind: string, name: string, more: Partial<Problem> = {}): Problem => ({
    ...{ id: `${name}/${why}`, state: 'warn', why, reason: '', message: '', since: 1, count: 1 },
    about: { resource: kind === 'Pod' ? 'pods' : `${kind.toLowerCase()}s`, kind, namespace: kind === 'Node' ? '' : 'shop', name },
    ...more,
  })
  const owner = { resource: 'deployments', kind: 'Deployment', namespace: 'shop', name: 'web' }
  const told = (all: readonly Problem[]) => folded(all).map((p) => [p.state, p.id, (p.effects ?? []).map((e) => e.id)])

  test('a rollout that stands still is told with the Pods that hold it up', () => {
    const all = [problem('stalled', 'Deployment', 'web', { state: 'bad' }), problem('pull', 'Pod', 'web-1', { owner })]
    expect(told(all)).toEqual([['bad', 'web-1/pull', ['web/stalled']]])
    expect(folded(all).map(isRollout)).toEqual([true])
    expect(told([problem('stalled', 'Deployment', 'api'), problem('pull', 'Pod', 'web-1', { owner })])).toHaveLength(2)
  })

  test('the Pods of a node that is down are told with it, and what follows from them', () => {
    const all = [
      problem('nodeUnknown', 'Node', 'n1', { state: 'bad' }),
      problem('notReady', 'Pod', 'web-1', { owner, nodes: ['n1'] }),
      problem('crash', 'Pod', 'web-2', { nodes: ['n1'] }),
      problem('stalled', 'Deployment', 'web'),
    ]
    expect(told(all)).toEqual([
      ['bad', 'n1/nodeUnknown', ['web-1/notReady', 'web/stalled']],
      ['warn', 'web-2/crash', []],
    ])
    const elsewhere = [problem('nodeUnknown', 'Node', 'n1'), problem('notReady', 'Pod', 'web-1', { owner, nodes: ['n1', 'n2'] })]
    expect(told(elsewhere)).toHaveLength(2)
  })

  const pods = (app: string, more: object = {}) => ({ pods: { labels: { app }, images: [`docker.io/${app}:1`], ...more } })
  const budget = problem('budgetBroken', 'PodDisruptionBudget', 'guard', { covers: { matchLabels: { app: 'web' } } })

  test('a budget is told with the Pods that it lacks', () => {
    const crash = problem('crash', 'Pod', 'web-1', { owner, ...pods('web') })
    expect(told([budget, crash])).toEqual([['warn', 'web-1/crash', ['guard/budgetBroken']]])
    expect(told([budget, problem('crash', 'Pod', 'api-1', pods('api'))])).toHaveLength(2)
    const { covers: _, ...none } = budget
    expect(told([none, crash])).toHaveLength(2)
  })

  test('what an exhausted quota refuses is told with it, and what lacks the Pods', () => {
    const message = 'pods "web-x" is forbidden: exceeded quota: team, requested: pods=1, used: pods=2, limited: pods=2'
    const all = [
      problem('replicaFailure', 'Deployment', 'web', { state: 'bad', since: 7, message, ...pods('web') }),
      problem('quotaFull', 'ResourceQuota', 'team', { since: null }),
      budget,
    ]
    expect(told(all)).toEqual([['bad', 'team/quotaFull', ['web/replicaFailure', 'guard/budgetBroken']]])
    expect(folded(all)[0]?.since).toBe(1)
    expect(
      told([problem('replicaFailure', 'Deployment', 'web', { message: 'denied' }), problem('quotaFull', 'ResourceQuota', 'team')]),
    ).toHaveLength(2)
  })

  const fault = (more: object) => ({ name: 'f', created: time(3), summary: '', hits: 0, seen: 0, ...more })
  test.each<[string, object, Partial<Problem>, Problem['why'], boolean]>([
    ['a crash loop', { pod: { namespace: 'shop', selector: 'app=web', action: 'crashloop' } }, pods('web'), 'crash', true],
    ['a crash loop of others', { pod: { namespace: 'shop', selector: 'app=api', action: 'crashloop' } }, pods('web'), 'crash', false],
    ['a crash loop elsewhere', { pod: { namespace: 'x', selector: 'app=web', action: 'crashloop' } }, pods('web'), 'crash', false],
    [
      'a Pod that is not ready',
      { pod: { namespace: 'shop', name: 'web-1', action: 'unready' } },
      pods('web', { one: 'web-1' }),
      'notReady',
      true,
    ],
    ['another trouble', { pod: { namespace: 'shop', name: 'web-1', action: 'unready' } }, pods('web', { one: 'web-1' }), 'pull', false],
    ['one of many Pods', { pod: { namespace: 'shop', name: 'web-1', action: 'unready' } }, pods('web'), 'notReady', false],
    ['an image', { image: { image: 'docker.io/web' } }, pods('web'), 'pull', true],
    ['a pattern of images', { image: { image: '*/we*' } }, pods('web'), 'pull', true],
    ['another image', { image: { image: 'docker.io/w.b' } }, pods('web'), 'pull', false],
  ])('a fault on purpose is the cause: %s', (_, what, more, why, caused) => {
    const all = [problem(why, 'Pod', 'web-1', more)]
    const [root] = folded(all, [fault(what)])
    expect([root?.why, root?.state, root?.effects?.length ?? 0]).toEqual(caused ? ['fault', 'warn', 1] : [why, 'warn', 0])
  })

  test('an image that fails on purpose is the cause for a Pod that no template has made, once the Pod has been read', () => {
    const bare = problem('pull', 'Pod', 'alone', { pods: { labels: {}, images: [], one: 'alone' } })
    const active = [fault({ image: { image: 'web:1' } })]
    const causes = () => folded([bare].map(withImages), active).map((p) => p.why)
    expect(causes()).toEqual(['pull'])
    noteImages(bare.id, { metadata: meta('alone', 'Pod', ''), spec: { containers: [{ name: 'c', image: 'web:1' }] } })
    expect(causes()).toEqual(['fault'])
    const made = problem('pull', 'Pod', 'alone', pods('api'))
    expect(folded([made].map(withImages), active).map((p) => p.why)).toEqual(['pull'])
  })

  test('a node that fails on purpose leads to the fault, through all that follows from it', () => {
    const all = [
      problem('nodeUnknown', 'Node', 'n1', { state: 'bad' }),
      problem('notReady', 'Pod', 'web-1', { owner, nodes: ['n1'], ...pods('web') }),
      problem('stalled', 'Deployment', 'web'),
      budget,
    ]
    const effects = all.map((p) => p.id)
    expect(
      folded(all, [fault({ node: { name: 'n1', state: 'failed' } })]).map((p) => [p.id, p.state, p.effects?.map((e) => e.id)]),
    ).toEqual([['fault/f', 'bad', effects]])
  })
})

test('why the Pods of a set are missing is told by its Events, the newest', () => {
  const told = { uid: '', seen: 0, warning: true, reason: 'FailedCreate', object: 'statefulset/db', namespace: 'shop', message: 'new' }
  const all = [told, { ...told, message: 'old' }, { ...told, reason: 'Other', object: 'statefulset/x' }]
  expect([...refusalsIn(all)]).toEqual([['shop statefulset/db', 'new']])
})

test('a cause is told in one sentence', () => {
  const detail = { message: '', exitCode: null, since: null }
  const pull = { why: 'pull' as const, count: 3, fresh: { serving: 5 } }
  expect(causeText(pull, { ...detail, image: 'nginx:1.161', refusal: 'not found' })).toBe(
    '3 new Pods cannot pull nginx:1.161 (not found). 5 old Pods serve.',
  )
  expect(causeText(pull, undefined)).toBe('The image cannot be pulled.')
  expect(causeText({ why: 'crash', count: 1 }, { ...detail, exitCode: 3 })).toBe('1 Pod keeps crashing. Exit code 3.')
  expect(causeText({ why: 'unscheduled', count: 2 }, { ...detail, why: 'unschedulable' })).toBe('2 Pods do not fit on any node.')
  expect(causeText({ why: 'cordoned', count: 1 }, undefined)).toBe('The node is cordoned: it takes no new Pods.')
})
