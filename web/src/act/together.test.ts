import { expect, test } from 'vitest'
import type { Foretold, Ref } from './foretold'
import { together } from './together'

const ref = (uid: string): Ref => ({ resource: 'pods', kind: 'Pod', name: uid, uid })
const of = (deleted: string[], orphaned: string[] = [], more = 0): Foretold => ({
  propagation: 'Background',
  deleted: deleted.map(ref),
  deletedCount: deleted.length + more,
  orphaned: orphaned.map(ref),
  orphanedCount: orphaned.length,
})

test('several deletions are foretold as one, each object once', () => {
  const f = together([of(['a', 'p', 'q'], ['o']), of(['b', 'q'], ['p', 'o'], 3)], new Set(['a', 'b']))
  expect(f.deleted.map((r) => r.uid)).toEqual(['p', 'q'])
  expect(f.deletedCount).toBe(2 + 3 + 1)
  expect(f.orphaned.map((r) => r.uid)).toEqual(['o'])
  expect(together([], new Set()).deletedCount).toBe(1)
})
