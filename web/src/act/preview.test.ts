import { expect, test } from 'vitest'
import { type Answer, confirmation, mergePreviews, type Ref } from './preview'

const ref = (uid: string): Ref => ({ apiVersion: 'v1', resource: 'pods', kind: 'Pod', name: uid, uid })
const of = (deleted: string[], orphaned: string[] = [], more = 0): Answer => ({
  propagation: 'Background',
  deleted: deleted.map(ref),
  deletedCount: deleted.length + more,
  orphaned: orphaned.map(ref),
  orphanedCount: orphaned.length,
  ...{ held: [], heldCount: 0, released: [], releasedCount: 0, resourceVersion: '1' },
})

test('the previews of several deletions become one that has each object once', () => {
  const p = mergePreviews([of(['a', 'p', 'q'], ['o']), of(['b', 'q'], ['p', 'o'], 3)], new Set(['a', 'b']))
  expect(p.dependents.refs.map((r) => r.uid)).toEqual(['p', 'q'])
  expect(p.dependents.count).toBe(2 + 3)
  expect(p.orphaned.refs.map((r) => r.uid)).toEqual(['o'])
  expect(p.orphaned.count).toBe(1)
})

test('a target that another target owns is no dependent', () => {
  const p = mergePreviews([of(['a', 'b', 'c']), of(['b', 'c'])], new Set(['a', 'b']))
  expect(p.dependents.refs.map((r) => r.uid)).toEqual(['c'])
  expect(p.dependents.count).toBe(1)
  expect(mergePreviews([], new Set()).dependents.count).toBe(0)
})

test.each([
  ['pods', ['a', 'b'], ''],
  ['namespaces', ['shop'], 'shop'],
  ['namespaces', ['shop', 'test'], '2 namespaces'],
])('deleting %s %j asks to type %j', (resource, names, want) => {
  expect(confirmation(resource, names)).toBe(want)
})
