import { expect, test } from 'vitest'
import { diffObjects, maxChanges, shortPath, summaryOf, textOf } from './diff'

const told = (before: unknown, after: unknown) => diffObjects(before, after).map((c) => [c.path, c.before, c.after])

test.each([
  ['nothing', { a: 1, b: { c: [1] } }, { a: 1, b: { c: [1] } }, []],
  ['a value', { spec: { replicas: 1 } }, { spec: { replicas: 2 } }, [['spec.replicas', 1, 2]]],
  ['a field that comes', { spec: {} }, { spec: { paused: true } }, [['spec.paused', undefined, true]]],
  ['a field that goes', { spec: { paused: true } }, { spec: {} }, [['spec.paused', true, undefined]]],
  ['null is a value', { a: null }, { a: {} }, [['a', null, {}]]],
  [
    'containers by name, whatever their order',
    { containers: [{ name: 'a', image: 'x:1' }, { name: 'b' }] },
    { containers: [{ name: 'b' }, { name: 'a', image: 'x:2' }, { name: 'c' }] },
    [
      ['containers[a].image', 'x:1', 'x:2'],
      ['containers[c]', undefined, { name: 'c' }],
    ],
  ],
  [
    'conditions by type',
    { conditions: [{ type: 'Ready', status: 'False' }] },
    { conditions: [{ type: 'Ready', status: 'True' }] },
    [['conditions[Ready].status', 'False', 'True']],
  ],
  [
    'ports by number and protocol',
    { ports: [{ containerPort: 80, protocol: 'TCP' }] },
    { ports: [{ containerPort: 80, protocol: 'UDP' }] },
    [
      ['ports[80/TCP]', { containerPort: 80, protocol: 'TCP' }, undefined],
      ['ports[80/UDP]', undefined, { containerPort: 80, protocol: 'UDP' }],
    ],
  ],
  ['lists of values as a whole', { finalizers: ['a'] }, { finalizers: ['a', 'b'] }, [['finalizers', ['a'], ['a', 'b']]]],
  ['keys that are no words', { labels: { 'app.io/x': '1' } }, { labels: { 'app.io/x': '2' } }, [['labels[app.io/x]', '1', '2']]],
  [
    'an object that comes',
    undefined,
    { kind: 'Pod', spec: { a: 1 } },
    [
      ['kind', undefined, 'Pod'],
      ['spec.a', undefined, 1],
    ],
  ],
  [
    'names of what all objects inherit',
    { constructor: 1 },
    { toString: 2 },
    [
      ['constructor', 1, undefined],
      ['toString', undefined, 2],
    ],
  ],
])('%s', (_, before, after, want) => {
  expect(told(before, after)).toEqual(want)
})

test('how an object is kept is folded away', () => {
  const before = { metadata: { resourceVersion: '1', managedFields: [{ manager: 'a' }], labels: { a: '1' } } }
  const after = { metadata: { resourceVersion: '2', managedFields: [{ manager: 'b' }], labels: { a: '2' } } }
  expect(diffObjects(before, after).map((c) => [c.path, c.folded])).toEqual([
    ['metadata.resourceVersion', true],
    ['metadata.managedFields[0].manager', true],
    ['metadata.labels.a', false],
  ])
})

test('a hostile object is not told to its end', () => {
  const many = Object.fromEntries(Array.from({ length: 5000 }, (_, i) => [`f${i}`, i]))
  expect(diffObjects({}, many)).toHaveLength(maxChanges)
})

test('a summary names fields once, and how many more there are', () => {
  const changes = diffObjects(
    { metadata: { resourceVersion: '1' }, a: 1, b: 1, c: 1 },
    { metadata: { resourceVersion: '2' }, a: 2, b: 2, c: 2 },
  )
  expect(summaryOf(changes, 2)).toEqual({ paths: ['a', 'b'], more: 1 })
})

test('long values and paths are cut', () => {
  expect(textOf('x'.repeat(1000), 10)).toEqual({ text: 'x'.repeat(10), cut: true })
  expect(textOf({ a: 1 }).text).toBe('{\n "a": 1\n}')
  expect(textOf(undefined)).toEqual({ text: '', cut: false })
  expect(shortPath('a'.repeat(100))).toHaveLength(57)
  expect(shortPath('spec.replicas')).toBe('spec.replicas')
})
