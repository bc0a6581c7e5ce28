import { expect, test } from 'vitest'
import { parseDocument } from 'yaml'
import { applyChanges } from './draft'
import { changes, merge, pathText, same } from './merge'

const base = {
  spec: {
    replicas: 2,
    list: [
      { name: 'a', image: '1' },
      { name: 'b', image: '1' },
    ],
    labels: { x: '1' },
  },
}
const spec = (change: object) => ({ spec: { ...base.spec, ...change } })

test.each([
  ['nobody', base, base, [], []],
  ['others alone', base, spec({ replicas: 5 }), ['spec.replicas'], []],
  ['I alone', spec({ replicas: 5 }), base, [], []],
  ['both, elsewhere', spec({ replicas: 5 }), spec({ labels: { x: '2' } }), ['spec.labels.x'], []],
  ['both, the same', spec({ replicas: 5 }), spec({ replicas: 5 }), [], []],
  ['both, not the same', spec({ replicas: 5 }), spec({ replicas: 6 }), [], ['spec.replicas']],
  [
    'two items of a list',
    spec({ list: [{ name: 'a', image: '2' }, base.spec.list[1]] }),
    spec({ list: [base.spec.list[0], { name: 'b', image: '3' }] }),
    ['spec.list[1].image'],
    [],
  ],
  [
    'a list that I have made longer',
    spec({ list: [...base.spec.list, { name: 'c' }] }),
    spec({ list: [{ name: 'a', image: '2' }, base.spec.list[1]] }),
    [],
    ['spec.list'],
  ],
  ['what I have removed', { spec: { replicas: 2 } }, spec({ labels: { x: '2' } }), [], ['spec.labels']],
  ['what others have removed', spec({ labels: { x: '2' } }), { spec: { replicas: 2, list: base.spec.list } }, [], ['spec.labels']],
])('%s', (_, mine, theirs, take, conflicts) => {
  const m = merge(base, mine, theirs)
  expect([m.take.map((c) => pathText(c.path)), m.conflicts.map((c) => pathText(c.path))]).toEqual([take, conflicts])
})

// A pseudorandom generator that returns the same numbers in every run.
function random(seed: number): (n: number) => number {
  let x = seed
  return (n) => {
    x = (Math.imul(x, 1_103_515_245) + 12_345) & 0x7fffffff
    return (x >> 8) % n
  }
}

function value(next: (n: number) => number, depth: number): unknown {
  const kind = depth <= 0 ? 2 : next(3)
  if (kind === 0) return Object.fromEntries(Array.from({ length: 1 + next(3) }, (_, i) => [`k${i}`, value(next, depth - 1)]))
  if (kind === 1) return Array.from({ length: 1 + next(3) }, () => value(next, depth - 1))
  return `v${next(4)}`
}

function vary(next: (n: number) => number, v: unknown): unknown {
  if (next(6) === 0) return value(next, 2)
  if (Array.isArray(v)) return v.map((one) => vary(next, one))
  if (v !== null && typeof v === 'object') return Object.fromEntries(Object.entries(v).map(([k, one]) => [k, vary(next, one)]))
  return v
}

test('what is taken over and what is in conflict is all that others have changed', () => {
  for (let seed = 1; seed <= 150; seed++) {
    const next = random(seed * 7919)
    const root = { a: value(next, 3), b: value(next, 3), c: value(next, 2) }
    const [mine, theirs] = [vary(next, root), vary(next, root)] as [typeof root, typeof root]
    if (typeof mine !== 'object' || typeof theirs !== 'object' || Array.isArray(mine) || Array.isArray(theirs)) continue
    const text = JSON.stringify(mine)
    const written = (m: ReturnType<typeof merge>) => parseDocument(applyChanges(text, m.take)).toJS()
    const m = merge(root, mine, theirs)
    const settled = [...m.take, ...m.conflicts.map((c) => ({ path: c.path, before: c.mine, after: c.theirs }))]
    // With every conflict settled for them, the result has all their changes and none of mine
    // there.
    const all = parseDocument(applyChanges(text, settled)).toJS()
    for (const change of changes(root, theirs)) {
      const at = change.path.reduce<unknown>((v, step) => (v as Record<string | number, unknown> | undefined)?.[step], all)
      expect(same(at, change.after), `${seed}: ${pathText(change.path)}`).toBe(true)
    }
    if (m.conflicts.length === 0) expect(merge(root, written(m), theirs).take).toEqual(changes(root, theirs).filter(() => false))
    expect(same(parseDocument(applyChanges(JSON.stringify(root), changes(root, theirs))).toJS(), theirs)).toBe(true)
    expect(changes(root, root)).toEqual([])
  }
})

test.each([
  [['spec', 'containers', 0, 'image'], 'spec.containers[0].image'],
  [['metadata', 'labels', 'example.com/a'], 'metadata.labels[example.com/a]'],
  [[], ''],
])('%j is written %s', (path, want) => {
  expect(pathText(path)).toBe(want)
})
