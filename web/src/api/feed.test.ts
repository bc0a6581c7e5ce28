import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { backoff, expired, Feed, type Item } from './feed'
import { type Column, tableForm, wholeForm } from './form'

// A server with canned responses: each request gets the next one and is recorded.
let asked: string[]
let answers: ((body: string) => Response)[]
let frames: (() => void)[]

beforeEach(() => {
  asked = []
  answers = []
  frames = []
  vi.stubGlobal('sessionStorage', { getItem: () => null })
  vi.stubGlobal('requestAnimationFrame', (f: () => void) => frames.push(f))
  vi.stubGlobal('cancelAnimationFrame', () => undefined)
  vi.stubGlobal('fetch', async (url: string, init: { signal: AbortSignal | null; body?: string }) => {
    asked.push(url + (init.body ?? ''))
    const answer = answers.shift()
    if (answer) return answer(init.body ?? '')
    return new Promise((_, fail) => init.signal?.addEventListener('abort', () => fail(new Error('aborted'))))
  })
})
afterEach(() => vi.unstubAllGlobals())

const json =
  (body: unknown, status = 200) =>
  () =>
    new Response(JSON.stringify(body), { status })
const stream =
  (...events: unknown[]) =>
  (body: string) => {
    const { id } = JSON.parse(body).streams[0]
    return new Response([{ id, begun: true }, ...events.map((line) => ({ id, line }))].map((e) => `${JSON.stringify(e)}\n`).join(''))
  }
const pod = (name: string, revision: number) => ({
  metadata: { name, uid: `uid-${name}`, resourceVersion: String(revision), creationTimestamp: '' },
})
const names = (f: Feed<Item>) => [...f.items.values()].map((i) => i.meta.name).sort()
const until = (f: () => boolean) => vi.waitFor(() => expect(f()).toBe(true))

test('a feed lists in pages, watches from the list on, and shows what the events say', async () => {
  answers.push(
    json({ metadata: { resourceVersion: '7', continue: 'more', remainingItemCount: 1 }, items: [pod('a', 1)] }),
    json({ metadata: { resourceVersion: '7' }, items: [pod('b', 2)] }),
    stream(
      { type: 'ADDED', object: pod('c', 8) },
      { type: 'DELETED', object: pod('a', 9) },
      { type: 'BOOKMARK', object: { metadata: { name: '', uid: '', resourceVersion: '12' } } },
    ),
  )
  const f = new Feed(wholeForm(), { path: '/api/v1/pods', labels: 'app=web', at: null })
  await until(() => f.revision === '12')
  expect(names(f)).toEqual(['b', 'c'])
  expect(f.phase.value).toBe('live')
  expect(asked[1]).toContain('continue=more')
  expect(asked[2]).toContain('watch=true')
  expect(asked[2]).toContain('resourceVersion=7')
  expect(asked[2]).toContain('labelSelector=app%3Dweb')
  f.close()
})

test('a feed announces once a frame, however many events arrive', async () => {
  answers.push(json({ metadata: { resourceVersion: '1' }, items: [] }))
  const many = Array.from({ length: 1000 }, (_, i) => ({ type: 'MODIFIED', object: pod('a', 2 + i) }))
  answers.push(stream(...many))
  const f = new Feed(wholeForm(), { path: '/api/v1/pods', at: null })
  await until(() => f.revision === '1001')
  expect(frames).toHaveLength(1)
  frames[0]?.()
  expect(f.changed.value).toBe(1)
  f.close()
})

test('a feed that has fallen behind lists again, and forgets what is gone', async () => {
  answers.push(
    json({ metadata: { resourceVersion: '1' }, items: [pod('a', 1)] }),
    stream({ type: 'ERROR', object: { code: 410 } }),
    json({ metadata: { resourceVersion: '9' }, items: [pod('b', 9)] }),
  )
  const f = new Feed(wholeForm(), { path: '/api/v1/pods', at: null })
  await until(() => f.revision === '9')
  expect(names(f)).toEqual(['b'])
  f.close()
})

test('a feed of a moment that has been compacted gives up, and says so', async () => {
  const before = expired.value
  answers.push(json({ kind: 'Status', code: 410, reason: 'Expired', message: 'too old' }, 410))
  const f = new Feed(wholeForm(), { path: '/api/v1/pods', at: 3 })
  await until(() => f.phase.value === 'stale')
  expect(f.error.value?.code).toBe(410)
  expect(expired.value).toBe(before + 1)
  expect(asked).toHaveLength(1)
  f.close()
})

test('a feed of a server that was started anew without its data lists again', async () => {
  const tooLarge = { kind: 'Status', code: 504, reason: 'Timeout', details: { causes: [{ reason: 'ResourceVersionTooLarge' }] } }
  answers.push(
    json({ metadata: { resourceVersion: '900' }, items: [pod('a', 1)] }),
    (body) => new Response(`${JSON.stringify({ id: JSON.parse(body).streams[0].id, ended: true, error: tooLarge })}\n`),
    json({ metadata: { resourceVersion: '9' }, items: [pod('b', 9)] }),
  )
  const f = new Feed(wholeForm(), { path: '/api/v1/pods', at: null })
  await vi.waitFor(() => expect([f.revision, names(f)]).toEqual(['9', ['b']]), { timeout: 30_000 })
  f.close()
})

test('a feed of the past is read exactly and then left alone', async () => {
  answers.push(json({ metadata: { resourceVersion: '5' }, items: [pod('a', 1)] }))
  const f = new Feed(wholeForm(), { path: '/api/v1/pods', at: 5 })
  await until(() => f.phase.value === 'past')
  expect(asked).toHaveLength(1)
  expect(asked[0]).toContain('resourceVersion=5&resourceVersionMatch=Exact')
})

test('a refusal is told, and what was there stays', async () => {
  answers.push(json({ kind: 'Status', code: 410, reason: 'Expired', message: 'too old' }, 410))
  const f = new Feed(wholeForm(), { path: '/api/v1/pods', at: 5 })
  await until(() => f.phase.value === 'stale')
  expect(f.error.value?.reason).toBe('Expired')
})

test('a question that makes no sense is not asked again', async () => {
  answers.push(json({ kind: 'Status', code: 400, reason: 'BadRequest', message: 'unable to parse' }, 400))
  const f = new Feed(wholeForm(), { path: '/api/v1/pods', labels: '???', at: null })
  await until(() => f.phase.value === 'stale')
  expect(asked).toHaveLength(1)
  f.close()
})

test('who may not read is asked again only after half a minute, as rights may change', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  try {
    const refused = json({ kind: 'Status', code: 403, reason: 'Forbidden', message: 'secrets is forbidden' }, 403)
    answers.push(refused, json({ metadata: { resourceVersion: '3' }, items: [pod('a', 1)] }))
    const f = new Feed(wholeForm(), { path: '/api/v1/secrets', at: null })
    await vi.advanceTimersByTimeAsync(29_999)
    expect(f.error.value?.code).toBe(403)
    expect(asked).toHaveLength(1)
    await vi.advanceTimersByTimeAsync(1)
    expect(names(f)).toEqual(['a'])
    expect(f.error.value).toBeNull()
    f.close()
  } finally {
    vi.useRealTimers()
  }
})

test('what has no watch is live once it is listed, and known by its name', async () => {
  answers.push(json({ metadata: {}, items: [{ metadata: { namespace: 'n', name: 'a' } }] }))
  const f = new Feed(wholeForm(), { path: '/apis/metrics.k8s.io/v1beta1/pods', at: null, watch: false })
  await until(() => f.phase.value === 'live')
  expect([...f.items.keys()]).toEqual(['n/a'])
  expect(asked).toHaveLength(1)
  f.close()
})

test('a table has columns, and rows without what is large', async () => {
  const metadata = {
    ...pod('a', 1).metadata,
    managedFields: [{}],
    annotations: { 'kubectl.kubernetes.io/last-applied-configuration': '{}', x: 'y' },
  }
  answers.push(
    json({
      metadata: { resourceVersion: '1' },
      columnDefinitions: [{ name: 'Name', type: 'string', format: 'name', description: '', priority: 0 }],
      rows: [{ cells: ['a'], object: { metadata } }],
    }),
  )
  const columns: Column[] = []
  const f = new Feed(
    tableForm(
      (all) => columns.push(...all),
      () => 7,
    ),
    { path: '/api/v1/pods', at: 1 },
  )
  await until(() => f.phase.value === 'past')
  expect(columns.map((c) => c.name)).toEqual(['Name'])
  const [row] = f.items.values()
  expect(row?.cells).toEqual(['a'])
  expect(row?.meta.annotations).toEqual({ x: 'y' })
  expect(row?.meta).not.toHaveProperty('managedFields')
  expect(row?.printed).toBe(7)
})

test('attempts come slower and slower, to a bound', () => {
  expect([0, 1, 2, 5, 50].map(backoff)).toEqual([500, 1000, 2000, 15_000, 15_000])
})
