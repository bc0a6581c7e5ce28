import { expect, test } from 'vitest'
import type { Change } from '../../time/log'
import { concerns, most, programOf, verbState, whoOf, withNewer, withOlder } from './words'

const change = (revision: number, more: Partial<Change> = {}): Change => ({
  revision,
  at: '',
  verb: 'updated',
  resource: 'pods',
  kind: 'Pod',
  apiVersion: 'v1',
  namespace: 'shop',
  name: 'a',
  uid: 'u',
  writer: {},
  ...more,
})

test.each([
  [{ controller: 'job-controller' }, 'job-controller'],
  [{ userAgent: 'kubectl/v1.36.0 (linux/amd64) kubernetes/abc' }, 'kubectl'],
  [{ user: 'jane', userAgent: 'Helm/4.0' }, 'jane (Helm)'],
  [{ user: 'jane' }, 'jane'],
  [{ user: 'jane', userAgent: 'Mozilla/5.0 (X11) Chrome/140.0 Safari/537.36' }, 'jane (dashboard in Chrome)'],
  [{ userAgent: 'Mozilla/5.0 (X11; rv:140) Gecko/20100101 Firefox/140.0' }, 'dashboard in Firefox'],
  [{}, ''],
])('%j is %s', (writer, want) => {
  expect(whoOf(writer)).toBe(want)
})

test('no change is marked as a failure', () => {
  expect(Object.values(verbState)).toEqual(['ok', 'idle', 'going'])
})

test('browsers are known by their own names', () => {
  expect(programOf('Mozilla/5.0 (X11) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Safari/537.36')).toBe('Chrome')
  expect(programOf('Mozilla/5.0 (X11; rv:140) Gecko/20100101 Firefox/140.0')).toBe('Firefox')
  expect(programOf('x'.repeat(500))).toHaveLength(60)
})

test('a scope narrows by all that it says', () => {
  expect(concerns(change(1), {})).toBe(true)
  expect(concerns(change(1), { resource: 'pods', namespace: 'shop', name: 'a', uid: 'u' })).toBe(true)
  for (const s of [{ resource: 'jobs.batch' }, { namespace: 'x' }, { name: 'b' }, { uid: 'v' }]) expect(concerns(change(1), s)).toBe(false)
})

test('what has come stands first, each once, and the oldest go', () => {
  expect(withNewer([change(5), change(3)], [change(4), change(5), change(6), change(7)]).map((c) => c.revision)).toEqual([7, 6, 5, 3])
  const many = Array.from({ length: 2 * most }, (_, i) => change(i + 1))
  expect(withNewer([], many)).toHaveLength(most)
})

test('a page that was read before a change, and arrives after it, loses neither', () => {
  const heard = withNewer([], [change(6)])
  expect(withOlder(heard, [change(5), change(3)]).map((c) => c.revision)).toEqual([6, 5, 3])
  expect(withOlder(heard, [change(6), change(5)]).map((c) => c.revision)).toEqual([6, 5])
  expect(withOlder([], [change(5), change(3)]).map((c) => c.revision)).toEqual([5, 3])
  const ahead = withOlder(heard, [change(7), change(6), change(5)]) // 7 arrives next
  expect(withNewer(ahead, [change(7)]).map((c) => c.revision)).toEqual([7, 6, 5])
})
