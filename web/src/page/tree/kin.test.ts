import { expect, test } from 'vitest'
import type { Meta } from '../../api/object'
import { selects } from '../../api/selector'
import { kinshipOf, oneOf, strayLabels, strayOf } from './kin'

const meta = (name: string, second = 0, more: Partial<Meta> = {}): Meta => ({
  name,
  uid: name,
  resourceVersion: '1',
  creationTimestamp: new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString(),
  ...more,
})
const web = meta('web-abc', 10)
const managed = { ownerReferences: [{ apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'x', uid: 'x', controller: true }] }

test.each([
  ['made in the same second', meta('web-abc-1', 10), 'own'],
  ['older than its owner', meta('web-abc-1', 9), 'older'],
  ['of another name', meta('guest', 11), 'named'],
  ['of a name that only begins alike', meta('web-abcd', 11), 'named'],
  ['made by hand from a CronJob', meta('now', 11, { annotations: { 'cronjob.kubernetes.io/instantiate': 'manual' } }), 'own'],
])('a managed object %s', (_, child, want) => {
  expect(kinshipOf(child, web)).toBe(want)
})

test.each([
  ['managed', meta('web-abc-1', 0, managed), true, undefined],
  ['matched, and nobody made it', meta('guest'), true, 'orphaned'],
  ['matched, and made here', meta('web-abc-1'), true, 'released'],
  ['not matched, and made here', meta('web-abc-1'), false, 'released'],
  ['a stranger', meta('guest'), false, undefined],
])('strayOf what is %s', (_, child, matches, want) => {
  expect(strayOf(child, [web], matches)).toBe(want)
})

test.each([
  [{}, {}, true],
  [{ matchLabels: { a: '1' } }, { a: '1', b: '2' }, true],
  [{ matchLabels: { a: '1' } }, { a: '2' }, false],
  [{ matchLabels: { toString: '' } }, {}, false],
  [{ matchExpressions: [{ key: 'a', operator: 'In', values: ['1', '2'] }] }, { a: '2' }, true],
  [{ matchExpressions: [{ key: 'a', operator: 'NotIn', values: ['1'] }] }, {}, true],
  [{ matchExpressions: [{ key: 'a', operator: 'Exists' }] }, { a: '' }, true],
  [{ matchExpressions: [{ key: 'a', operator: 'DoesNotExist' }] }, { a: '' }, false],
])('selects(%j, %j) is %j', (selector, labels, want) => {
  expect(selects(selector, labels)).toBe(want)
})

test('what has strayed is found by a label of the family', () => {
  const anchor = oneOf('pod-template-hash', ['abc', 'def'])
  expect(anchor).toBe('pod-template-hash in (abc,def)')
  expect(strayLabels({ matchLabels: { app: 'web', tier: 'a', 'pod-template-hash': 'abc' } }, anchor, 'pod-template-hash')).toEqual([
    'pod-template-hash in (abc,def),app!=web',
    'pod-template-hash in (abc,def),tier!=a',
  ])
  expect(strayLabels({ matchLabels: { app: 'web' } }, oneOf('pod-template-hash', []), 'pod-template-hash')).toEqual([])
})
