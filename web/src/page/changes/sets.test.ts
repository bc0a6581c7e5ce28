import { expect, test } from 'vitest'
import { compareItems } from './sets'

const items = (...all: [name: string, uid: string, version: string][]) =>
  new Map(all.map(([name, uid, resourceVersion]) => [uid, { meta: { name, uid, resourceVersion, creationTimestamp: '' } }]))

test('what is new, gone, changed and as it was', () => {
  const then = items(['a', '1', '1'], ['b', '2', '2'], ['c', '3', '3'], ['x', '6', '6'])
  const now = items(['a', '1', '1'], ['c', '3', '9'], ['b', '4', '8'], ['aa', '5', '7'], ['x', '6', '10'])
  const c = compareItems(then, now)
  expect(c.added.map((i) => i.meta.uid)).toEqual(['5', '4']) // b is another b
  expect(c.gone.map((i) => i.meta.uid)).toEqual(['2'])
  expect(c.changed.map((i) => [i.was.meta.resourceVersion, i.is.meta.resourceVersion])).toEqual([
    ['3', '9'],
    ['6', '10'],
  ])
  expect(c.same).toBe(1)
})
