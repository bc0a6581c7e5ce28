import { expect, test } from 'vitest'
import type { Budget } from '../../api/budget'
import { nodesOf, wordsOf } from './words'

const budget = (status?: Budget['status'], generation = 1): Budget => ({
  metadata: { name: 'b', uid: 'b', resourceVersion: '1', creationTimestamp: '', generation },
  ...(status ? { status: { observedGeneration: 1, ...status } } : {}),
})
const failed = [{ type: 'DisruptionAllowed', status: 'False', reason: 'SyncFailed', message: 'no scale' }]

test.each<[string, Budget, string]>([
  ['allows', budget({ disruptionsAllowed: 1, currentHealthy: 3, desiredHealthy: 2, expectedPods: 3 }), 'ok pdb.allows '],
  ['has just enough', budget({ disruptionsAllowed: 0, currentHealthy: 2, desiredHealthy: 2, expectedPods: 3 }), 'wait why.budgetNone '],
  ['has too few', budget({ disruptionsAllowed: 0, currentHealthy: 1, desiredHealthy: 2, expectedPods: 3 }), 'warn why.budgetBroken '],
  ['covers nobody', budget({ expectedPods: 0 }), 'idle pdb.nobody '],
  ['is not computed', budget(), 'wait pdb.waiting '],
  ['has been changed', budget({ disruptionsAllowed: 1, expectedPods: 3 }, 2), 'wait pdb.waiting '],
  ['cannot be computed', budget({ conditions: failed }), 'bad why.budgetFailed no scale'],
])('a budget that %s says so', (_, b, want) => {
  const w = wordsOf(b)
  expect(`${w.state} ${w.key} ${w.raw}`).toBe(want)
})

test('PDB-016: each node has what could be evicted from it now', () => {
  expect(nodesOf([{ node: 'a' }, { node: 'b' }, { node: 'a' }, { node: '' }], 1)).toEqual([
    { node: 'a', pods: 2, now: 1 },
    { node: 'b', pods: 1, now: 1 },
  ])
  expect(nodesOf([{ node: 'a' }], -1)).toEqual([{ node: 'a', pods: 1, now: 0 }])
})
