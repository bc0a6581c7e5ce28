import { describe, expect, test } from 'vitest'
import type { Column, Row } from '../../api/form'
import { Arranger, merge, type Wanted } from './arrange'
import { type Chosen, parseChosen, withChosen } from './chosen'
import { forNarrow, matchesText, type Shown, shownColumns, sortKey, tieOf, tracks, usageColumns, widths } from './column'
import { compareKeys, keyOf, parseAge, parseQuantity } from './key'
import { ago, agoWithin } from './live'
import { markAll, markThrough, mostMarked } from './marks'
import { badField, badLabel, refused } from './selector'
import { joinUsage } from './usage'
import { nextSorting, sorting } from './view'
import { hold, scrollTo, windowOf } from './window'

const row = (name: string, cells: Row['cells'] = [name], namespace = 'a', created = '2026-01-01T00:00:00Z'): Row => ({
  meta: { name, namespace, uid: `${namespace}/${name}`, resourceVersion: '1', creationTimestamp: created },
  cells,
  printed: 1000,
})
const column = (name: string, priority = 0, format = ''): Column => ({ name, type: 'string', format, description: '', priority })

describe('window', () => {
  test.each([
    ['the top', { top: 0, height: 50, row: 10 }, 100, { start: 0, end: 13 }],
    ['the middle', { top: 200, height: 50, row: 10 }, 100, { start: 12, end: 33 }],
    ['an odd first row', { top: 215, height: 50, row: 10 }, 100, { start: 12, end: 35 }],
    ['the end', { top: 950, height: 50, row: 10 }, 100, { start: 86, end: 100 }],
    ['beyond the end', { top: 99_999, height: 50, row: 10 }, 100, { start: 100, end: 100 }],
    ['stretched at the top', { top: -30, height: 50, row: 10 }, 3, { start: 0, end: 3 }],
    ['nothing', { top: 0, height: 50, row: 10 }, 0, { start: 0, end: 0 }],
  ])('%s', (_, view, count, want) => {
    expect(windowOf(view, count)).toEqual(want)
  })

  test('a row that is seen is not scrolled to, others as little as needed', () => {
    const view = { top: 100, height: 50, row: 10 }
    expect(scrollTo(view, 12, 0)).toBe(100)
    expect(scrollTo(view, 15, 0)).toBe(110)
    expect(scrollTo(view, 3, 0)).toBe(30)
    expect(scrollTo(view, 0, 1)).toBe(0)
  })

  test('a row stays where it is on the screen when 3 rows come before it', () => {
    expect(hold({ top: 100, height: 50, row: 10 }, 12, 15)).toBe(130)
    expect(hold({ top: 10, height: 50, row: 10 }, 5, 1)).toBe(0)
  })
})

describe('sorting', () => {
  test.each<[string, Row['cells'], string]>([
    ['numbers', [10, 9, '1.5'], '1.5 9 10'],
    ['names', ['web-10', 'web-2', 'api'], 'api web-2 web-10'],
    ['shares', ['3/3', '1/3', '5/5', '0/0', '0/7'], '0/7 1/3 0/0 3/3 5/5'],
    ['restarts', ['2 (1m ago)', '10', '2 (5m ago)', '2'], '2 2 (5m ago) 2 (1m ago) 10'],
    ['spans', ['2d3h', '90s', '10m', '1m30s'], '90s 1m30s 10m 2d3h'],
    ['sizes', ['1Gi', '500Mi', '2Ti'], '500Mi 1Gi 2Ti'],
    ['addresses', ['10.0.0.12', '10.0.0.9'], '10.0.0.9 10.0.0.12'],
    ['nothing last', ['<none>', 'x', '', 3], '3 x <none> '],
    ['yes and no', [true, false], 'false true'],
  ])('%s', (_, cells, want) => {
    const sorted = [...cells].sort((a, b) => compareKeys(keyOf(a), keyOf(b)))
    expect(sorted.join(' ')).toBe(want)
  })

  test('quantities are no spans of time where the server says so', () => {
    expect(keyOf('100m', 'quantity')).toBe(0.1)
    expect(keyOf('100m')).toBe(6_000_000)
    expect(parseQuantity('x')).toBeNull()
    expect(parseAge('')).toBeNull()
    expect(parseAge('1y2d')).toBe(367 * 86_400_000)
  })

  test('the age and spans up to now are sorted by when they began', () => {
    const [age, seen] = shownColumns([column('Age'), column('Last Seen')], { resource: 'events', chosen: {}, namespace: false })
    const older = row('a', ['5m', '5m'], 'a', '2026-01-01T00:00:00Z')
    const newer = { ...row('b', ['5m', '5m'], 'a', '2026-01-01T00:01:00Z'), printed: 2000 }
    for (const c of [age, seen]) expect(c && compareKeys(sortKey(newer, c), sortKey(older, c))).toBe(-1)
  })

  test('a column sorts up, down, and then not at all', () => {
    expect(nextSorting({}, 'pods', 'Status')).toEqual({ sort: 'Status', desc: '' })
    expect(nextSorting({ sort: 'Status' }, 'pods', 'Status')).toEqual({ sort: 'Status', desc: '1' })
    expect(nextSorting({ sort: 'Status', desc: '1' }, 'pods', 'Status')).toEqual({ sort: '', desc: '' })
    expect(sorting({}, 'events').by).toBe('Last Seen')
  })
})

describe('arranging', () => {
  const wanted = (q: string, descending = false): Wanted => ({
    matches: matchesText(q),
    key: (r) => keyOf(r.cells[1] ?? null),
    tie: tieOf,
    descending,
  })
  const fromScratch = (items: ReadonlyMap<string, Row>, w: Wanted) => new Arranger().update(items, w).map((r) => r.meta.name)

  test('is by the column, then by name; descending turns only the column around', () => {
    const items = new Map([row('c', ['c', 1]), row('a', ['a', 2]), row('b', ['b', 1])].map((r) => [r.meta.uid, r]))
    expect(fromScratch(items, wanted(''))).toEqual(['b', 'c', 'a'])
    expect(fromScratch(items, wanted('', true))).toEqual(['a', 'b', 'c'])
    expect(fromScratch(items, wanted('C'))).toEqual(['c'])
  })

  test('by what has changed is arranging anew', () => {
    // A generator of its own, so that a failure can be reproduced.
    let seed = 7
    const random = (n: number) => {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
      return Math.floor((seed / 2_147_483_648) * n)
    }
    for (const w of [wanted(''), wanted('p1'), wanted('', true)]) {
      const arranger = new Arranger()
      const items = new Map<string, Row>()
      for (let step = 0; step < 60; step++) {
        for (let i = random(8); i > 0; i--) {
          const name = `p${random(40)}`
          if (random(3) === 0) items.delete(`a/${name}`)
          else items.set(`a/${name}`, row(name, [name, random(5)]))
        }
        const got = arranger.update(items, w).map((r) => r.meta.name)
        expect(got).toEqual(fromScratch(items, w))
      }
    }
  })

  test('leaves the rows alone when nothing has changed', () => {
    const items = new Map([row('a'), row('b')].map((r) => [r.meta.uid, r]))
    const arranger = new Arranger()
    const w = wanted('')
    expect(arranger.update(items, w)).toBe(arranger.update(new Map(items), w))
  })

  test('merges', () => {
    const by = (a: number, b: number) => a - b
    expect(merge([1, 3, 5], [0, 3, 9], by)).toEqual([0, 1, 3, 3, 5, 9])
    expect(merge([], [1], by)).toEqual([1])
    expect(merge([1], [], by)).toEqual([1])
  })
})

describe('columns', () => {
  const all = [column('Name', 0, 'name'), column('Status'), column('IP', 1), column('Age')]
  const names = (of: { chosen: Chosen; namespace: boolean }) => shownColumns(all, { resource: 'pods', ...of }).map((c) => c.name)
  test('are the server’s, those that are chosen, and the namespace where wanted', () => {
    expect(names({ chosen: {}, namespace: false })).toEqual(['Name', 'Status', 'Age'])
    expect(names({ chosen: { IP: true, Age: false, Name: false, Gone: true }, namespace: true })).toEqual([
      'Name',
      'Namespace',
      'Status',
      'IP',
    ])
    expect(shownColumns([], { resource: 'pods', chosen: {}, namespace: true })).toEqual([])
  })
  test('of an Event link to its object and to itself', () => {
    const parts = (resource: string) =>
      shownColumns(
        ['Last Seen', 'Type', 'Object', 'Message'].map((name) => column(name)),
        { resource, chosen: {}, namespace: false },
      ).map((c) => c.part)
    expect(parts('events')).toEqual(['ago', 'state', 'object', 'message'])
    expect(parts('gadgets.example.com')).toEqual(['ago', 'plain', 'plain', 'plain'])
  })
  test('of usage stand before the age, and sort by amount', () => {
    const measured = [...all, ...usageColumns]
    const shown = shownColumns(measured, { resource: 'pods', chosen: {}, namespace: false })
    expect(shown.map((c) => c.name)).toEqual(['Name', 'Status', 'CPU', 'Memory', 'Age'])
    const metrics = [column('Name', 0, 'name'), column('cpu'), column('memory')]
    const rows = new Map(['a', 'b', 'c'].map((name) => [name, row(name, [name, 'Running', '', '5m'])]))
    const used = new Map([
      ['a/a', row('a', ['a', '5000u', '9Mi'])],
      ['a/b', row('b', ['b', '1', '2Gi'])],
    ])
    const joined = joinUsage(rows, used, metrics)
    expect([...joined.values()].map((r) => r.cells.slice(-2))).toEqual([
      ['5m', '9Mi'],
      ['1', '2Gi'],
      [null, null],
    ])
    expect(joinUsage(rows, used, metrics).get('a')).toBe(joined.get('a'))
    const [, , cpu] = shown
    const keys = [...joined.values()].map((r) => (cpu ? sortKey(r, cpu) : ''))
    expect(keys.sort(compareKeys).slice(0, 2)).toEqual([0.005, 1])
  })
  test('are as wide as their cells within bounds, and do not shrink', () => {
    const shown = shownColumns(all, { resource: 'pods', chosen: {}, namespace: false })
    const wide = widths(shown, [row('x', ['x'.repeat(500), 'Running', '', '5m'])])
    expect(wide).toEqual([44, 11, 8])
    expect(widths(shown, [], wide)).toEqual(wide)
  })
  test('give way at the last, which is cut where there is no room', () => {
    expect(tracks([20, 8, 90])).toEqual({ template: 'minmax(20ch, 20fr) minmax(8ch, 8fr) minmax(40ch, 90fr)', least: 68 })
    expect(tracks([20, 8])).toEqual({ template: 'minmax(20ch, 20fr) minmax(8ch, 8fr)', least: 28 })
    expect(tracks([])).toEqual({ template: '', least: 0 })
  })
  test('are searched, all words', () => {
    const r = row('web-1', ['web-1', 'Running'], 'shop')
    expect(['shop RUN', 'web', '', '  '].map((q) => matchesText(q)(r))).toEqual([true, true, true, true])
    expect(matchesText('web pending')(r)).toBe(false)
  })
})

test.each([
  ['', null],
  ['app=web', null],
  ['app==web, tier!=front ,!gone,there', null],
  ['app in (a, b),x notin (c)', null],
  ['example.com/size>3', null],
  ['a=', null],
  ['app=web;', 'app=web;'],
  ['a,,b', ''],
  ['a in (', 'a in ('],
  ['=x', '=x'],
  ['a=<b>', 'a=<b>'],
])('label selector %j: %j is bad', (selector, want) => {
  expect(badLabel(selector)).toBe(want)
})

test.each([
  ['', null],
  ['metadata.name=web', null],
  ['spec.nodeName!=n,status.phase==Running', null],
  [String.raw`metadata.name=a\,b`, null],
  ['web', 'web'],
  ['a=b,c', 'c'],
])('field selector %j: %j is bad', (selector, want) => {
  expect(badField(selector)).toBe(want)
})

test('a refusal is told at the field that it is about', () => {
  expect(refused('x', 'a=b', '')).toBe('labels')
  expect(refused('x', '', 'a=b')).toBe('fields')
  expect(refused('field label not supported: a', 'a=b', 'a=b')).toBe('fields')
  expect(refused('unable to parse requirement', 'a=b', 'a=b')).toBe('labels')
  expect(refused('x', '', '')).toBeNull()
})

test('spans of time go on, and back when the past is shown', () => {
  expect(ago('5m', 0, 60_000)).toBe('6m')
  expect(ago('5m', 60_000, 0)).toBe('4m')
  expect(ago('<none>', 0, 60_000)).toBe('<none>')
  expect(agoWithin('2 (50s ago)', 0, 20_000)).toBe('2 (70s ago)')
})

test('the columns that are chosen are kept by kind, the latest kinds, and what is no choice is dropped', () => {
  expect(parseChosen('[["pods",{"IP":true,"Node":1}],["nodes",{}],"x",[3,{}]]')).toEqual(new Map([['pods', { IP: true }]]))
  for (const text of [null, '', '{', '{"pods":true}']) expect(parseChosen(text)).toEqual(new Map())
  let all: ReadonlyMap<string, Chosen> = new Map()
  for (let i = 0; i < 120; i++) all = withChosen(all, `kind-${i}`, { IP: true })
  expect(all.size).toBe(100)
  expect(withChosen(all, 'kind-119', {}).has('kind-119')).toBe(false)
  expect(parseChosen(JSON.stringify([...all]))).toEqual(all)
})

test('rows are marked one by one, through to another, or all, within bounds', () => {
  const rows = [...'abcd'].map((name) => row(name, [name]))
  const of = (names: string) => new Set([...names].map((name) => `a/${name}`))
  expect(markThrough(new Set(), rows, '', 'a/b', true)).toEqual(of('b'))
  expect(markThrough(of('b'), rows, 'a/b', 'a/d', true)).toEqual(of('bcd'))
  expect(markThrough(of('abc'), rows, 'a/c', 'a/b', false)).toEqual(of('a'))
  expect(markThrough(of('a'), rows, 'a/gone', 'a/c', true)).toEqual(of('ac'))
  expect(markAll(of('a'), rows).size).toBe(4)
  expect(markAll(of('abcd'), rows)).toEqual(new Set())
  const many = Array.from({ length: 600 }, (_, i) => row(`${i}`, []))
  expect(markAll(new Set(), many).size).toBe(mostMarked)
  expect(markThrough(new Set(), many, 'a/0', 'a/599', true).size).toBe(mostMarked)
})

test('a narrow table has the state after the name, and the namespace last', () => {
  const all = [
    ['Name', 'name'],
    ['Namespace', 'namespace'],
    ['Ready', 'plain'],
    ['Status', 'state'],
    ['Age', 'age'],
  ].map(([name, part]) => ({ name, part }) as Shown)
  const [columns, cut] = forNarrow(all, [40, 20, 8, 30, 6], 18, 14)
  expect(columns.map((c) => c.name)).toEqual(['Name', 'Status', 'Ready', 'Age', 'Namespace'])
  expect(cut).toEqual([18, 14, 8, 6, 14])
})
