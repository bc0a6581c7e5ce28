import { expect, test } from 'vitest'
import type { Row } from '../../api/form'
import { countStates, densely, inOrder, type Mark, markOf, printerOf } from './mark'

const row = (name: string, status: string, more: object = {}): Row => ({
  meta: { name, uid: name, resourceVersion: '1', creationTimestamp: '2026-01-01T00:00:00Z', ...more },
  cells: [name, status === 'Running' ? '1/1' : '0/1', status, 'node-1'],
  printed: 0,
})
const print = printerOf([{ name: 'Name' }, { name: 'Ready' }, { name: 'Status' }, { name: 'Node' }])
const mark = (name: string, status: string, more: object = {}): Mark => {
  const r = row(name, status, more)
  return markOf(r, print(r), 'own', 0)
}

test('a mark is what the row tells', () => {
  expect(mark('a', 'Running')).toMatchObject({ state: 'ok', status: 'Running', node: 'node-1' })
  expect(mark('a', 'Running', { deletionTimestamp: '2026-01-01T00:00:00Z' }).state).toBe('going')
  expect(print(row('a', 'Running'))('Nowhere')).toBe('')
})

test('marks stay in their places', () => {
  const later = mark('a', 'Running', { creationTimestamp: '2026-01-01T00:00:01Z' })
  expect([later, mark('c', 'Pending'), mark('b', 'Pending')].sort(inOrder).map((m) => m.meta.name)).toEqual(['b', 'c', 'a'])
})

test('states are counted', () => {
  expect(countStates([mark('a', 'Pending'), mark('b', 'Running'), mark('c', 'Running')])).toEqual([
    ['ok', 2],
    ['wait', 1],
  ])
})

test('many marks are one path for each state', () => {
  const marks = Array.from({ length: 10 }, (_, i) => mark(`p${i}`, i === 7 ? 'Error' : 'Running'))
  const picture = densely(marks, 50)
  expect([picture.columns, picture.height]).toEqual([4, 36])
  expect(picture.paths.map(([state]) => state)).toEqual(['ok', 'bad'])
  expect(picture.paths[1]?.[1]).toMatch(/^M37 13m1 2\.2/)
  expect(densely([], 0)).toEqual({ paths: [], columns: 1, height: 0 })
})
