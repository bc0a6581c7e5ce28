import { expect, test } from 'vitest'
import { blocksOf, type Line, merge, pieces, plain, splitLine, written } from './line'

test.each([
  ['2026-01-01T00:00:00.5Z hello world', { at: '2026-01-01T00:00:00.5Z', text: 'hello world' }],
  ['2026-01-01T00:00:00Z ', { at: '2026-01-01T00:00:00Z', text: '' }],
  ['2026-01-01T00:00:00Z', { at: '2026-01-01T00:00:00Z', text: '' }],
  ['unable to retrieve container logs', { at: '', text: 'unable to retrieve container logs' }],
])('splitLine(%j)', (raw, want) => {
  expect(splitLine(raw)).toEqual(want)
})

test('what only a terminal understands is left out, and what is long is cut', () => {
  expect(plain('\x1b[1;31mred\x1b[0m \x1b]0;title\x07plain\r')).toBe('red plain')
  expect(plain('<img src=x onerror=alert(1)>')).toBe('<img src=x onerror=alert(1)>')
  expect(plain('x'.repeat(1_000_000))).toHaveLength(4_001)
})

const line = (id: number, at: string): Line => ({ id, pod: 'p', container: 'c', at, text: '' })
const ids = (all: readonly Line[]) => all.map((l) => l.id)

test('lines of several containers are merged by time, each in its own order', () => {
  expect(ids(merge([line(1, 'a'), line(2, 'c')], [line(3, 'c'), line(4, 'd')], 10))).toEqual([1, 2, 3, 4])
  expect(ids(merge([line(1, 'a'), line(2, 'c')], [line(3, 'b'), line(4, 'b')], 10))).toEqual([1, 3, 4, 2])
})

test('at the same time the order is that of the containers, whichever line came first', () => {
  const of = (id: number, pod: string, container = 'c') => ({ ...line(id, 'a'), pod, container })
  expect(ids(merge([of(1, 'q'), of(2, 'q')], [of(3, 'p', 'd'), of(4, 'p'), of(5, 'q')], 10))).toEqual([4, 3, 1, 2, 5])
})

test('a remark is no line', () => {
  expect(written([])).toBe(0)
  expect(written([line(1, 'a'), { ...line(2, 'a'), remark: true }])).toBe(1)
})

test('the oldest lines go first', () => {
  expect(ids(merge([line(1, 'a'), line(2, 'b')], [line(3, 'c')], 2))).toEqual([2, 3])
})

test.each([
  ['GET /a GET', 'get', ['GET', ' /a ', 'GET']],
  ['plain', '', ['plain']],
  ['İstanbul', 'stan', ['İstanbul']],
])('pieces(%j, %j)', (text, search, want) => {
  expect(pieces(text, search)?.map((p) => p.text)).toEqual(want)
})

test('a line without what is searched for has no pieces', () => {
  expect(pieces('abc', 'x')).toBeNull()
})

test('a line stays in its block when older lines are dropped', () => {
  const all = Array.from({ length: 250 }, (_, i) => line(i, 'a'))
  const blocks = (lines: readonly Line[], dropped: number) =>
    blocksOf(lines, dropped).map((b) => [b.key, b.lines[0]?.id, b.lines.at(-1)?.id])
  expect(blocks([], 7)).toEqual([])
  expect(blocks(all, 0)).toEqual([
    [0, 0, 99],
    [1, 100, 199],
    [2, 200, 249],
  ])
  expect(blocks(all.slice(130), 130)).toEqual([
    [1, 130, 199],
    [2, 200, 249],
  ])
})
