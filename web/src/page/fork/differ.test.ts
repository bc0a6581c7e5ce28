import { expect, test } from 'vitest'
import { differencesOf, type Identity } from './differ'

const of = (name: string, resourceVersion: number, uid = name): Identity => ({
  name,
  namespace: 'shop',
  uid,
  resourceVersion: `${resourceVersion}`,
})
const tell = (origin: Identity[], fork: Identity[]) =>
  differencesOf(origin, fork, 10).map((d) => `${d.name} ${d.by}${d.inOrigin ? '' : ' not in origin'}${d.inFork ? '' : ' not in fork'}`)

test.each<[string, Identity[], Identity[], string[]]>([
  ['what nobody changed is the same', [of('a', 9)], [of('a', 9)], []],
  ['changed in the fork', [of('a', 9)], [of('a', 12)], ['a fork']],
  ['changed in the origin', [of('a', 12)], [of('a', 9)], ['a origin']],
  ['both changed it, by chance at the same revision', [of('a', 12)], [of('a', 12)], ['a both']],
  ['made in the fork', [], [of('a', 12)], ['a fork not in origin']],
  ['made in the origin', [of('a', 12)], [], ['a origin not in fork']],
  ['deleted in the fork', [of('a', 9)], [], ['a fork not in fork']],
  ['deleted in the origin', [], [of('a', 9)], ['a origin not in origin']],
  ['another object of the same name, as after loading a snapshot', [of('a', 9)], [of('a', 9, 'b')], ['a both']],
  ['in the order of names', [of('b', 12), of('a', 12)], [], ['a origin not in fork', 'b origin not in fork']],
])('%s', (_, origin, fork, want) => {
  expect(tell(origin, fork)).toEqual(want)
})
