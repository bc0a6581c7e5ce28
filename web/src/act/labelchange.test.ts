import { expect, test } from 'vitest'
import { type Selector, selects } from '../api/selector'
import { isolating, labelPatch } from './labelchange'

test.each([
  [{ a: '1' }, [{ key: 'a', value: '1' }], {}],
  [{ a: '1' }, [], { a: null }],
  [{ a: '1' }, [{ key: 'b', value: '1' }], { a: null, b: '1' }],
  [
    { a: '1' },
    [
      { key: ' a ', value: ' 2 ' },
      { key: '', value: 'x' },
    ],
    { a: '2' },
  ],
  [{}, [{ key: 'toString', value: '' }], { toString: '' }],
  [
    { a: '1' },
    [
      { key: 'a', value: '2' },
      { key: 'a', value: '1' },
    ],
    {},
  ],
])('from %j to %j is %j', (before, rows, want) => {
  expect(labelPatch(before, rows)).toEqual(want)
})

const labels = { app: 'web', hash: '1', free: 'x' }
test.each<[Selector, boolean, string[]]>([
  [{ matchLabels: { app: 'web', hash: '1' } }, true, ['app', 'hash']],
  [{ matchLabels: { app: 'other' } }, false, []],
  [{ matchExpressions: [{ key: 'app', operator: 'In', values: ['web', 'api'] }] }, true, ['app']],
  [{ matchLabels: { hash: '1' }, matchExpressions: [{ key: 'free', operator: 'Exists' }] }, true, ['free', 'hash']],
  [{ matchExpressions: [{ key: 'gone', operator: 'DoesNotExist' }] }, true, []],
  [{ matchExpressions: [{ key: 'app', operator: 'NotIn', values: ['web'] }] }, false, []],
  [{ matchExpressions: [{ key: 'app', operator: 'Sideways' }] }, false, []],
])('%j selects: %s, and to leave it takes %j away', (s, selected, want) => {
  expect(selects(s, labels)).toBe(selected)
  expect(isolating(s, labels)).toEqual(want)
  if (want.length > 0) expect(selects(s, Object.fromEntries(Object.entries(labels).filter(([k]) => !want.includes(k))))).toBe(false)
})
