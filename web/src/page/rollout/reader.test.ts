import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { rolloutForm, type Sample } from './history'
import { Reader } from './reader'

// A log with canned responses: each request gets the next one and is recorded.
let asked: URLSearchParams[]
let answers: Response[]

beforeEach(() => {
  asked = []
  answers = []
  vi.stubGlobal('sessionStorage', { getItem: () => null })
  vi.stubGlobal('fetch', async (url: string) => {
    asked.push(new URL(url, 'http://here').searchParams)
    return answers.shift() ?? new Response('{"items":[]}')
  })
})
afterEach(() => vi.unstubAllGlobals())

const change = (revision: number, wanted: number, verb = 'updated') => ({
  revision,
  verb,
  at: '2026-01-01T00:00:00Z',
  uid: 'u',
  resource: 'replicasets.apps',
  object: { metadata: { name: 'a', uid: 'u' }, spec: { replicas: wanted } },
})
const page = (items: object[], next?: number) => new Response(JSON.stringify({ items, next }))
const gone = () => new Response('{"kind":"Status","code":410}', { status: 410 })
const want = (version: number) => [{ uid: 'u', version, resource: 'replicasets.apps' }]
const read = (r: Reader<Sample>) => r.samples.map((s) => [s.revision, s.set?.wanted])
const until = (f: () => unknown) => vi.waitFor(f, { timeout: 60_000 })

test('the past is read from the newest back, what follows from there on', async () => {
  answers.push(page([change(9, 2), change(8, 1)], 8), page([change(7, 0)]), page([change(12, 3)]))
  const r = new Reader(rolloutForm, null, () => undefined)
  r.want(want(9))
  await until(() =>
    expect(read(r)).toEqual([
      [7, 0],
      [8, 1],
      [9, 2],
    ]),
  )
  r.want(want(9)) // nothing new
  r.want(want(12))
  await until(() => expect(read(r)).toHaveLength(4))
  expect(asked.map((q) => [q.get('newest'), q.get('before'), q.get('after')])).toEqual([
    ['true', null, null],
    ['true', '8', null],
    [null, null, '9'],
  ])
  r.stop()
})

test('a moment of the past bounds it', async () => {
  const r = new Reader(rolloutForm, 41, () => undefined)
  r.want(want(40))
  await until(() => expect(r.loading).toBe(false))
  expect(asked[0]?.get('before')).toBe('42')
  expect([...r.done]).toEqual(['u'])
})

test('where the log is compacted past what was read it is read again, and nothing is there twice', async () => {
  answers.push(page([change(9, 2)]), gone(), page([change(12, 3), change(9, 2)]))
  const r = new Reader(rolloutForm, null, () => undefined)
  r.want(want(9))
  await until(() => expect(read(r)).toHaveLength(1))
  r.want(want(12))
  await until(() =>
    expect(read(r)).toEqual([
      [9, 2],
      [12, 3],
    ]),
  )
  expect(r.error).toBeNull()
  r.stop()
})

test('where the log is compacted past the newest change, nothing older is taken for the present state', async () => {
  answers.push(page([change(9, 2)]), gone(), page([]))
  const r = new Reader(rolloutForm, null, () => undefined)
  r.want(want(9))
  await until(() => expect(read(r)).toHaveLength(1))
  r.want(want(12))
  await until(() => expect(read(r)).toEqual([]))
  expect([...r.done]).toEqual(['u'])
  r.stop()
})

test('what is gone is read once more for its end', async () => {
  answers.push(page([change(9, 2)]), page([change(11, 2, 'deleted')]))
  const r = new Reader(rolloutForm, null, () => undefined)
  r.want(want(9))
  await until(() => expect(read(r)).toHaveLength(1))
  r.want([])
  await until(() => expect(r.samples.at(-1)?.set).toBeNull())
  r.want([])
  expect(asked).toHaveLength(2)
})

test('a failure is told, and tried again', async () => {
  answers.push(new Response('{"kind":"Status","code":500,"message":"not now"}', { status: 500 }), page([change(9, 2)]))
  const r = new Reader(rolloutForm, null, () => undefined)
  r.want(want(9))
  await until(() => expect(r.error?.message).toBe('not now'))
  await until(() => expect(r.error).toBeNull())
  expect(read(r)).toEqual([[9, 2]])
})
