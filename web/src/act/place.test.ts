import { expect, test } from 'vitest'
import { type Node, parseDocument } from 'yaml'
import { placeOf } from './place'

const text = `apiVersion: apps/v1
metadata:
  name: web
  annotations:
    bad key!: x
    example.com/a.b: y
    "[0]": z
spec:
  template:
    spec:
      containers:
        - name: a
          ports:
            - containerPort: 99999
        - image: nginx
      1: one
`
const root = parseDocument(text).contents
const marked = (path: string): [string, boolean] | undefined => {
  const place = placeOf(root, path)
  return place && [text.slice(place.from, place.to), place.exact]
}

test.each<[string, string, boolean]>([
  ['metadata.name', 'name: web', true],
  ['metadata.annotations', 'annotations', true],
  ['metadata.annotations[bad key!]', 'bad key!: x', true],
  ['metadata.annotations[example.com/a.b]', 'example.com/a.b: y', true],
  ['metadata.annotations.example.com/a.b', 'example.com/a.b: y', true],
  ['metadata.annotations[[0]]', '"[0]": z', true],
  ['spec.template.spec.containers[0].image', 'name', false],
  ['spec.template.spec.containers[0]', 'name', true],
  ['spec.template.spec.containers[0].ports[0].containerPort', 'containerPort: 99999', true],
  ['spec.template.spec.containers[1].image', 'image: nginx', true],
  ['spec.template.spec.containers[7].image', 'containers', false],
  ['spec.template.spec[1]', '1: one', true],
  ['spec.replicas', 'spec', false],
  ['status', 'apiVersion', false],
  ['', 'apiVersion', true],
])('%s is at %s', (path, want, exact) => {
  expect(marked(path)).toEqual([want, exact])
})

// A pseudorandom generator that returns the same numbers in every run.
// Source: https://en.wikipedia.org/wiki/Xorshift
function random(seed: number): (n: number) => number {
  let x = seed
  return (n) => {
    x ^= x << 13
    x ^= x >>> 17
    x ^= x << 5
    return (x >>> 0) % n
  }
}

const keys = ['a', 'b.c', 'a.b', '[0]', '0', 'x y', 'é', 'toString', 'a[b]', '"q"', '-', '']

function value(next: (n: number) => number, depth: number): unknown {
  const kind = depth <= 0 ? 2 : next(3)
  if (kind === 0) return Object.fromEntries(Array.from({ length: next(4) }, () => [keys[next(keys.length)], value(next, depth - 1)]))
  if (kind === 1) return Array.from({ length: next(4) }, () => value(next, depth - 1))
  return [1, 'text', null, true, '# no: [comment'][next(5)]
}

/** paths yields all fields of a value, with brackets around the keys that need them. */
function* paths(v: unknown, path = ''): Generator<[string, unknown]> {
  if (path !== '') yield [path, v]
  if (Array.isArray(v)) for (const [i, item] of v.entries()) yield* paths(item, `${path}[${i}]`)
  else if (v !== null && typeof v === 'object') {
    for (const [key, item] of Object.entries(v))
      yield* paths(item, /^[a-z]+$/i.test(key) ? (path === '' ? key : `${path}.${key}`) : `${path}[${key}]`)
  }
}

test('every field of any object has a place within the text, and so has every path that leads nowhere', async () => {
  const { stringify } = await import('yaml')
  for (let seed = 1; seed <= 150; seed++) {
    const next = random(seed * 7919)
    const object = { root: value(next, 4), list: [value(next, 3)] }
    const yaml = `${'# c\n'.repeat(next(2))}${stringify(object)}`
    const contents: Node | null = parseDocument(yaml).contents
    const noise = Array.from({ length: 20 }, () => Array.from({ length: next(6) }, () => ['.', '[', ']', '0', ...keys][next(16)]).join(''))
    for (const path of [...[...paths(object)].map(([p]) => p), ...noise]) {
      const place = placeOf(contents, path)
      if (!place) throw new Error(`${path} has no place in\n${yaml}`)
      if (place.from < 0 || place.to < place.from || place.to > yaml.length) expect(place, `${path} in\n${yaml}`).toBe('within the text')
    }
  }
})

test('of objects whose keys are plain words, every field is found exactly', () => {
  for (let seed = 1; seed <= 200; seed++) {
    const next = random(seed * 104729)
    const plain = (depth: number): unknown =>
      depth === 0 || next(3) === 0
        ? `v${next(100)}`
        : next(2) === 0
          ? [plain(depth - 1), plain(depth - 1)]
          : { [`k${next(9)}`]: plain(depth - 1), end: plain(depth - 1) }
    const object = { spec: plain(5) }
    const yaml = JSON.stringify(object, null, 2)
    const contents = parseDocument(yaml).contents
    for (const [path, v] of paths(object)) {
      const place = placeOf(contents, path)
      expect(place?.exact, `${path} in ${yaml}`).toBe(true)
      if (typeof v === 'string') expect(yaml.slice(place?.from, place?.to)).toContain(v)
    }
  }
})
