import { describe, expect, test } from 'vitest'
import type { KubeObject, Meta } from '../../api/object'
import { type DaemonSet, numbersOf, ordinalOf, type StatefulSet } from '../../api/sets'
import type { State } from '../../ui/state'
import type { Node } from '../overview/objects'
import type { Claim } from '../tree/around'
import type { Mark } from '../tree/mark'
import { spotsOf, wordsOf as wordsOfDaemonSet } from './nodes'
import { folded, type Place, placesOf, wordsOf } from './ordinals'
import { templateAt, templateIn } from './template'

const meta = (name: string, more: Partial<Meta> = {}): Meta => ({ name, uid: name, resourceVersion: '1', creationTimestamp: '', ...more })
const mark = (name: string, state: State = 'ok', node = 'n', hash = 'db-a'): Mark => ({
  uid: name,
  meta: meta(name, { labels: { 'controller-revision-hash': hash } }),
  state,
  status: '',
  node,
  kinship: 'own',
})
const set = (replicas: number, more: object = {}, status: object = {}): StatefulSet => ({
  metadata: meta('db'),
  spec: { replicas, volumeClaimTemplates: [{ metadata: { name: 'data' } }], ...more },
  status,
})
const claim = (name: string, phase = 'Bound'): Claim => ({ metadata: meta(name), status: { phase } })
const told = (p: Place) =>
  `${p.ordinal} ${p.role} ${p.pod?.state ?? '-'} #${p.revision} ${p.claims.map((c) => `${c.name}:${c.claim?.status?.phase ?? '-'}`).join()}`

describe('a StatefulSet by ordinal', () => {
  test('STS-011, STS-013, STS-040: has Pods with their claims, those that are too many, and claims that stayed', () => {
    const numbers = numbersOf([{ metadata: meta('db-a'), revision: 3 }])
    const places = placesOf(
      set(2),
      [mark('db-3', 'going'), mark('db-0')],
      [claim('data-db-0'), claim('data-db-3'), claim('data-db-7'), claim('data-other-1')],
      numbers,
    )
    expect(places.map(told)).toEqual([
      '0 wanted ok #3 data-db-0:Bound',
      '1 wanted - #0 data-db-1:-',
      '3 condemned going #3 data-db-3:Bound',
      '7 kept - #0 data-db-7:Bound',
    ])
  })

  test('STS-034: begins with its first ordinal', () => {
    const places = placesOf(set(2, { ordinals: { start: 5 }, volumeClaimTemplates: [] }), [mark('db-5')], [], new Map())
    expect(places.map(told)).toEqual(['5 wanted ok #0 ', '6 wanted - #0 '])
  })

  test('folds what is well where there are many', () => {
    const pods = Array.from({ length: 50 }, (_, i) => mark(`db-${i}`, i === 20 ? 'bad' : 'ok', 'n', i < 40 ? 'db-a' : 'db-b'))
    const numbers = new Map([
      ['db-a', 1],
      ['db-b', 2],
    ])
    const places = placesOf(set(50, { volumeClaimTemplates: [] }), pods, [], numbers)
    const lines = folded(places, 40).map((l) => ('n' in l ? `${l.first.ordinal}-${l.last.ordinal} (${l.n})` : String(l.ordinal)))
    expect(lines).toEqual(['0', '1-18 (18)', '19', '20', '21', '22-38 (17)', '39', '40', '41-48 (8)', '49'])
    expect(folded(places, 50)).toHaveLength(50)
  })

  const rolling = { updateRevision: 'db-b', currentRevision: 'db-a' }
  test.each<[string, StatefulSet, Mark[], string]>([
    ['waits for a Pod', set(2), [mark('db-0', 'busy')], 'busy sts.waits 0'],
    ['waits for one in trouble', set(2), [mark('db-0', 'bad')], 'warn sts.waits 0'],
    ['waits for one that is missing', set(2), [mark('db-0')], 'busy sts.missing 1'],
    ['waits for nobody', set(2, { podManagementPolicy: 'Parallel' }), [mark('db-1')], 'busy sts.becoming '],
    ['has one too many', set(1), [mark('db-0'), mark('db-1')], 'busy sts.condemned '],
    ['replaces its Pods', set(2, {}, { ...rolling, updatedReplicas: 1 }), [mark('db-0'), mark('db-1')], 'busy sts.updating '],
    [
      'keeps some as they are',
      set(3, { updateStrategy: { rollingUpdate: { partition: 2 } } }, { ...rolling, replicas: 3, readyReplicas: 3, updatedReplicas: 1 }),
      [mark('db-0'), mark('db-1'), mark('db-2')],
      'ok sts.partitioned ',
    ],
    [
      'replaces nothing by itself',
      set(1, { updateStrategy: { type: 'OnDelete' } }, { ...rolling, replicas: 1, readyReplicas: 1 }),
      [mark('db-0')],
      'ok sts.onDelete ',
    ],
    ['is done', set(1, {}, { replicas: 1, readyReplicas: 1, updatedReplicas: 1 }), [mark('db-0')], 'ok sts.ready '],
    ['rests', set(0), [], 'idle sts.empty '],
  ])('that %s says so', (_, s, pods, want) => {
    const words = wordsOf(s, placesOf(s, pods, [], new Map()))
    expect(`${words.state} ${words.key} ${words.values.ordinal ?? ''}`).toBe(want)
  })

  test.each([
    ['db-0', 0],
    ['db-10', 10],
    ['db-x', null],
    ['db', null],
    ['other-0', null],
  ])('%s has the ordinal %j', (name, want) => {
    expect(ordinalOf({ name }, 'db')).toBe(want)
  })
})

describe('a DaemonSet over the nodes', () => {
  const node = (name: string, taints?: Node['spec']): Node => ({ metadata: meta(name), ...(taints ? { spec: taints } : {}) })

  test('DS-001: has a Pod on some, none on others, and Pods that are nowhere yet', () => {
    const taint = { taints: [{ key: 'gpu', value: 'yes', effect: 'NoSchedule' }] }
    const going = { ...mark('x', 'going', 'node-2'), meta: meta('x', { deletionTimestamp: 't' }) }
    const layout = spotsOf(
      [node('node-1'), node('node-2'), node('node-10', taint), node('node-3')],
      [mark('a', 'ok', 'node-1'), going, mark('b', 'busy', 'node-2'), mark('c', 'ok', 'gone'), mark('d', 'wait', '')],
    )
    expect(layout.has.map((s) => `${s.node} ${s.state} ${s.pods.length}`)).toEqual(['node-2 busy 2', 'gone ok 1', 'node-1 ok 1'])
    expect(layout.lacks.map((s) => `${s.node} ${s.taints.join()}`)).toEqual(['node-3 ', 'node-10 gpu=yes:NoSchedule'])
    expect(layout.unbound.map((p) => p.uid)).toEqual(['d'])
  })

  const all = { desiredNumberScheduled: 3, currentNumberScheduled: 3, numberAvailable: 3, updatedNumberScheduled: 3 }
  test.each<[object, object, string]>([
    [all, {}, 'ok ds.ready'],
    [{ ...all, currentNumberScheduled: 1 }, {}, 'bad ds.missing'],
    [{ ...all, updatedNumberScheduled: 1 }, {}, 'busy ds.updating'],
    [{ ...all, updatedNumberScheduled: 1 }, { updateStrategy: { type: 'OnDelete' } }, 'ok sts.onDelete'],
    [{ ...all, numberAvailable: 2 }, {}, 'busy ds.becoming'],
    [{}, {}, 'idle ds.nowhere'],
  ])('with %j and %j says how it is', (status, spec, want) => {
    const words = wordsOfDaemonSet({ metadata: meta('agent'), spec, status } as KubeObject as DaemonSet, false, 60_000)
    expect(`${words.state} ${words.key}`).toBe(want)
  })
})

test('the template of a revision is compared without regard to the order of its fields', () => {
  const template = { spec: { containers: [{ name: 'a', image: 'b' }], nodeName: 'n' }, metadata: { labels: { z: '1', a: '2' } } }
  const kept = {
    metadata: { labels: { a: '2', z: '1' } },
    spec: { containers: [{ image: 'b', name: 'a' }], nodeName: 'n' },
    $patch: 'replace',
  }
  const now = templateIn({ metadata: meta('db'), spec: { template } })
  expect(JSON.stringify(templateAt({ metadata: meta('db-1'), revision: 1, data: { spec: { template: kept } } }))).toBe(JSON.stringify(now))
  expect(JSON.stringify(now)).toBe(
    '{"metadata":{"labels":{"a":"2","z":"1"}},"spec":{"containers":[{"image":"b","name":"a"}],"nodeName":"n"}}',
  )
})
