import { describe, expect, test } from 'vitest'
import type { Pod } from '../../api/pod'
import { amountText } from '../../ui/amount'
import { containersOf, nextStart, probeText, sentenceOf, variablesOf } from './containers'
import { dataOf } from './data'
import { fieldsOf, partsOf } from './fields'
import { requestOf, sharesOf } from './node'
import { type Event, occurrencesOf } from './occurrences'
import { usesOf } from './quota'
import { endpointsOf } from './service'
import { volumeOf } from './volumes'

const start = Date.parse('2026-01-01T00:00:00Z')
const time = (seconds: number) => new Date(start + seconds * 1000).toISOString()
const metadata = { name: 'p', namespace: 'shop', uid: 'u', resourceVersion: '1', creationTimestamp: time(0) }
type Status = NonNullable<Pod['status']>
type One = NonNullable<Status['containerStatuses']>[number]
const pod = (phase: string, of: Omit<One, 'name'> = {}, status: Status = {}): Pod => ({
  metadata,
  spec: { containers: [{ name: 'app', image: 'nginx:9' }] },
  status: { phase, containerStatuses: [{ name: 'app', ...of }], ...status },
})
const waiting = (reason: string, message = '') => ({ state: { waiting: { reason, message } } })
const exited = (exitCode: number, message = '') => ({ terminated: { exitCode, reason: 'Error', message, finishedAt: time(10) } })

describe('the sentence about a Pod', () => {
  test.each<[string, Pod, string, object]>([
    ['runs', pod('Running', { ready: true, state: { running: {} } }), 'pod.is.running', { values: { n: 1 } }],
    ['not ready', pod('Running', { state: { running: {} } }), 'pod.is.unready', { values: { name: 'app' } }],
    [
      'crashing',
      pod('Running', { restartCount: 7, lastState: exited(3), ...waiting('CrashLoopBackOff', 'back-off 40s restarting failed') }),
      'pod.is.crashing',
      { values: { name: 'app', code: 3, n: 7, seconds: 30 }, container: 'app' },
    ],
    ['crashed', pod('Running', { restartCount: 1, lastState: exited(3), ...waiting('CrashLoopBackOff') }), 'pod.is.crashed', {}],
    [
      'pulling',
      pod('Pending', waiting('ImagePullBackOff', 'not found')),
      'pod.is.pulling',
      { values: { name: 'app', image: 'nginx:9' }, detail: 'not found' },
    ],
    ['held', pod('Pending', waiting('CreateContainerConfigError', 'no secret')), 'pod.is.held', { detail: 'no secret' }],
    ['exited', pod('Failed', { state: exited(4, 'gone') }), 'pod.is.exited', { detail: 'gone', container: 'app' }],
    [
      'evicted',
      pod('Failed', {}, { reason: 'Evicted', message: 'disk' }),
      'pod.is.failed',
      { values: { reason: 'Evicted' }, detail: 'disk' },
    ],
    ['done', pod('Succeeded'), 'pod.is.succeeded', {}],
    ['starting', pod('Pending', waiting('ContainerCreating')), 'pod.is.pending', {}],
    [
      'no node',
      pod('Pending', {}, { conditions: [{ type: 'PodScheduled', status: 'False', message: '0/3 nodes' }] }),
      'pod.is.unscheduled',
      { detail: '0/3 nodes' },
    ],
    ['going', { ...pod('Running'), metadata: { ...metadata, deletionTimestamp: time(1) } }, 'pod.is.terminating', {}],
    ['nothing known', { metadata }, 'pod.is.pending', {}],
  ])('%s', (_, p, key, rest) => {
    expect(sentenceOf(p, start + 20_000)).toMatchObject({ key, ...rest })
  })

  test('names the init container that holds up the others', () => {
    const p: Pod = {
      metadata,
      spec: { initContainers: [{ name: 'first' }, { name: 'side', restartPolicy: 'Always' }], containers: [{ name: 'app' }] },
      status: {
        phase: 'Pending',
        initContainerStatuses: [{ name: 'first', state: { running: {} } }],
        containerStatuses: [{ name: 'app', ...waiting('PodInitializing') }],
      },
    }
    expect(sentenceOf(p, start)).toMatchObject({ key: 'pod.is.initializing', values: { name: 'first' } })
    expect(containersOf(p).map((c) => `${c.role} ${c.state} ${c.word}`)).toEqual([
      'init busy Running',
      'sidecar wait ',
      'main wait PodInitializing',
    ])
  })
})

test.each([
  ['back-off 1m20s restarting failed container', 10, 80],
  ['back-off 10s restarting failed container', 100, null],
  ['something else', 10, null],
])('%s, asked after %d s: %s', (message, now, want) => {
  expect(nextStart(message, time(10), start + now * 1000)).toBe(want)
})

test('probes are written as kubectl describe does', () => {
  expect(probeText({ httpGet: { path: 'healthz', port: 'http' } })).toBe(
    'http-get http://:http/healthz delay=0s timeout=1s period=10s #success=1 #failure=3',
  )
  expect(probeText({ exec: { command: ['cat', '/x'] }, periodSeconds: 5 })).toMatch(/^exec \[cat \/x\] .* period=5s/)
  expect(probeText({ grpc: { port: 9 } })).toMatch(/^grpc <pod>:9 delay/)
  expect(probeText({ tcpSocket: { port: 80 } })).toMatch(/^tcp-socket :80 /)
})

test('an environment says where its values are', () => {
  const all = variablesOf({
    name: 'c',
    envFrom: [{ configMapRef: { name: 'all' }, prefix: 'X_' }, {}],
    env: [
      { name: 'A', value: '1' },
      { name: 'B', valueFrom: { secretKeyRef: { name: 's', key: 'k' } } },
      { name: 'C', valueFrom: { fieldRef: { fieldPath: 'status.podIP' } } },
    ],
  })
  expect(all).toEqual([
    { name: 'X_*', value: '', from: { resource: 'configmaps', kind: 'ConfigMap', name: 'all', key: '' } },
    { name: 'A', value: '1' },
    { name: 'B', value: '', from: { resource: 'secrets', kind: 'Secret', name: 's', key: 'k' } },
    { name: 'C', value: 'status.podIP' },
  ])
})

test.each<[string, object, string, string, string[]]>([
  ['a claim', { persistentVolumeClaim: { claimName: 'data' } }, 'persistentVolumeClaim', '', ['data']],
  ['an ephemeral claim', { ephemeral: { volumeClaimTemplate: {} } }, 'ephemeral', '', ['web-v']],
  ['a Secret', { secret: { secretName: 's' } }, 'secret', '', ['s']],
  ['a directory', { hostPath: { path: '/var' } }, 'hostPath', '/var', []],
  [
    'several',
    { projected: { sources: [{ configMap: { name: 'ca' } }, { serviceAccountToken: {} }] } },
    'projected',
    'serviceAccountToken',
    ['ca'],
  ],
  ['nothing known', {}, '', '', []],
])('a volume of %s', (_, of, type, detail, from) => {
  const v = volumeOf({ name: 'v', ...of }, 'web')
  expect([v.type, v.detail, v.from.map((f) => f.name)]).toEqual([type, detail, from])
})

test('Events that say the same are one, without the uids of Pods', () => {
  const event = (reason: string, message: string, at: number, more: object = {}): Event => ({
    metadata: { ...metadata, creationTimestamp: time(at) },
    type: 'Warning',
    reason,
    message,
    firstTimestamp: time(at),
    lastTimestamp: time(at + 5),
    count: 2,
    ...more,
  })
  const of = (id: string) => `back-off of pod=p_shop(${id})`
  const [one, two, ...rest] = occurrencesOf([
    event('BackOff', of('01a20808-e938-734b-a0f4-182b1064db69'), 10),
    event('BackOff', of('01a20808-e938-734b-a0f4-182b1064db60'), 40, { series: { count: 5, lastObservedTime: time(90) } }),
    event('Pulled', 'x', 50, { type: 'Normal', firstTimestamp: null, lastTimestamp: null, eventTime: time(51) }),
  ])
  expect(one).toMatchObject({ warning: true, count: 7, first: start + 10_000, last: start + 90_000, message: 'back-off of pod=p_shop' })
  expect(two).toMatchObject({ warning: false, first: start + 51_000 })
  expect(rest).toEqual([])
})

test('fields of any kind: texts, groups, tables, nothing that is empty, the status last and without its conditions', () => {
  const o = {
    kind: 'X',
    metadata,
    status: { phase: 'Up', conditions: [{ type: 'Ready' }] },
    spec: {
      a: 1,
      list: ['x', 'y'],
      none: {},
      rules: [{ verbs: ['get'], groups: [''] }, { verbs: ['*'] }],
      mixed: [{ name: 'one', deep: { b: true } }],
    },
  }
  expect(partsOf(o)).toEqual([
    {
      kind: 'group',
      name: 'spec',
      more: 0,
      fields: [
        { kind: 'text', name: 'a', text: '1' },
        { kind: 'text', name: 'list', text: 'x, y' },
        {
          kind: 'table',
          name: 'rules',
          columns: ['verbs', 'groups'],
          rows: [
            ['get', ''],
            ['*', ''],
          ],
          more: 0,
        },
        {
          kind: 'group',
          name: 'mixed',
          more: 0,
          fields: [
            {
              kind: 'group',
              name: 'one',
              more: 0,
              fields: [
                { kind: 'text', name: 'name', text: 'one' },
                { kind: 'group', name: 'deep', more: 0, fields: [{ kind: 'text', name: 'b', text: 'true' }] },
              ],
            },
          ],
        },
      ],
    },
    { kind: 'group', name: 'status', more: 0, fields: [{ kind: 'text', name: 'phase', text: 'Up' }] },
  ])
  let deep: Record<string, unknown> = { end: 1 }
  for (let i = 0; i < 9000; i++) deep = { deep }
  expect(fieldsOf(deep)).toHaveLength(1)
  expect(fieldsOf({ long: 'x'.repeat(5000) })[0]).toMatchObject({ text: `${'x'.repeat(2000)}…` })
  expect(fieldsOf({ many: Array(900).fill({ a: 1 }) })[0]).toMatchObject({ more: 700 })
})

describe('a node', () => {
  const asks = (cpu: string, more: object = {}): Pod => ({
    metadata,
    spec: { containers: [{ name: 'a', resources: { requests: { cpu, memory: '1Gi' } } }], ...more },
    status: { phase: 'Running' },
  })
  test('has shares: what its Pods ask for of what it has; Pods that have ended ask for nothing', () => {
    const node = { metadata, status: { allocatable: { 'example.com/gpu': '2', memory: '4Gi', cpu: '2', pods: '110', x: '0' } } }
    expect(sharesOf(node, [asks('500m'), asks('250m'), { ...asks('9'), status: { phase: 'Failed' } }])).toEqual([
      { resource: 'cpu', requested: 0.75, allocatable: 2 },
      { resource: 'memory', requested: 2 * 2 ** 30, allocatable: 4 * 2 ** 30 },
      { resource: 'pods', requested: 2, allocatable: 110 },
      { resource: 'example.com/gpu', requested: 0, allocatable: 2 },
    ])
  })
  test('runs init containers one after another and sidecars beside all', () => {
    const initContainers = [
      { name: 'side', restartPolicy: 'Always', resources: { requests: { cpu: '1' } } },
      { name: 'first', resources: { requests: { cpu: '4' } } },
    ]
    expect(requestOf(asks('2', { initContainers }), 'cpu')).toBe(5)
    expect(requestOf(asks('7', { initContainers, overhead: { cpu: '1' } }), 'cpu')).toBe(9)
  })
  test.each([
    [1.5 * 2 ** 30, 'memory', '1.5Gi'],
    [0.25, 'cpu', '250m'],
    [16, 'cpu', '16'],
    [0, 'memory', '0'],
    [3, 'pods', '3'],
  ])('%d of %s is %s', (n, resource, want) => {
    expect(amountText(n, resource)).toBe(want)
  })
})

test('endpoints that get no requests come first', () => {
  const e = (ip: string, conditions: object) => ({ addresses: [ip], conditions, nodeName: 'n', targetRef: { kind: 'Pod', name: `p${ip}` } })
  const slice = {
    metadata,
    ports: [{ name: 'http', port: 80 }],
    endpoints: [e('1', {}), e('2', { ready: false }), e('3', { terminating: true })],
  }
  expect(endpointsOf([slice, { metadata }]).map((x) => `${x.addresses} ${x.is} ${x.ports} ${x.pod}`)).toEqual([
    '2 unready http 80/TCP p2',
    '3 terminating http 80/TCP p3',
    '1 ready http 80/TCP p1',
  ])
})

test('data is text where it can be, and bytes else', () => {
  expect(dataOf({ metadata, data: { b: 'é', a: '' }, binaryData: { c: 'AAEC/w==' } }, 'ConfigMap')).toEqual([
    { key: 'a', text: '', bytes: 0, base64: '' },
    { key: 'b', text: 'é', bytes: 2, base64: '' },
    { key: 'c', text: null, bytes: 4, base64: 'AAEC/w==' },
  ])
  expect(dataOf({ metadata, data: { k: 'czNjcg==', broken: '%' } }, 'Secret').map((d) => [d.key, d.text, d.bytes])).toEqual([
    ['broken', '', 0],
    ['k', 's3cr', 4],
  ])
  expect(dataOf({ metadata }, 'Secret')).toEqual([])
})

test('of a quota the fullest is first; one of nothing is not full', () => {
  const status = { hard: { pods: '10', 'requests.cpu': '2', secrets: '0', x: '4' }, used: { pods: '10', 'requests.cpu': '500m', x: '0' } }
  expect(usesOf({ metadata, status })).toEqual([
    { resource: 'pods', used: '10', hard: '10', share: 1, full: true },
    { resource: 'requests.cpu', used: '500m', hard: '2', share: 0.25, full: false },
    { resource: 'secrets', used: '0', hard: '0', share: 0, full: false },
    { resource: 'x', used: '0', hard: '4', share: 0, full: false },
  ])
})
