import { expect, test } from 'vitest'
import { Drafts, draftKey, type Store } from './kept'

/** memory is a store with room for a number of characters. */
function memory(room = 1e9): Store & { map: Map<string, string> } {
  const map = new Map<string, string>()
  return {
    map,
    get length() {
      return map.size
    },
    key: (i) => [...map.keys()][i] ?? null,
    getItem: (k) => map.get(k) ?? null,
    removeItem: (k) => void map.delete(k),
    setItem(k, v) {
      if (v.length > room) throw new DOMException('full', 'QuotaExceededError')
      map.set(k, v)
    },
  }
}

test('a draft is kept, found again by whoever opens the page anew, and dropped', () => {
  const store = memory()
  const before = new Drafts(store)
  expect(before.keep('web', { text: 'a', at: 1 })).toBe(true)
  const after = new Drafts(store)
  expect([after.of('web'), after.of('api'), after.count.value]).toEqual([{ text: 'a', at: 1 }, undefined, 1])
  after.drop('web')
  expect([after.of('web'), after.count.value]).toEqual([undefined, 0])
})

test('the newest drafts are kept, and one that is too long or finds no room is said not to be', () => {
  const store = memory(1000)
  const drafts = new Drafts(store)
  for (let i = 0; i < 25; i++) drafts.keep(`o${i}`, { text: 'x', at: i })
  expect([drafts.count.value, drafts.of('o4'), drafts.of('o5')?.at]).toEqual([20, undefined, 5])
  expect(drafts.keep('full', { text: 'x'.repeat(2000), at: 99 })).toBe(false)
  expect(new Drafts(memory()).keep('long', { text: 'x'.repeat(500_000), at: 1 })).toBe(false)
  expect(new Drafts(undefined).keep('none', { text: 'x', at: 1 })).toBe(false)
})

test('what is in the store and no draft is left alone', () => {
  const store = memory()
  store.setItem('rowlock-token', 'secret')
  store.setItem('rowlock-draft web', '{"text":')
  expect(new Drafts(store).of('web')).toBeUndefined()
  expect(store.map.get('rowlock-token')).toBe('secret')
})

test('a fork has drafts of its own', () => {
  expect(draftKey('pods', 'a', 'b', '/forks/x')).not.toBe(draftKey('pods', 'a', 'b', ''))
})
