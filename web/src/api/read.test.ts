import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { answered, outage } from './link'
import { readJSON, readText } from './read'

const answers: (() => Promise<Response>)[] = []
const asked: string[] = []

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  vi.stubGlobal('fetch', (url: string) => {
    asked.push(url)
    return (answers.shift() ?? (() => Promise.reject(new TypeError('Failed to fetch'))))()
  })
})
afterEach(() => {
  answered()
  answers.length = 0
  asked.length = 0
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

test('what is asked in an outage is read at its end', async () => {
  const read = readJSON<{ n: number }>('/one')
  await vi.waitFor(() => expect(outage.value).not.toBeNull())
  answers.push(async () => new Response('{"n":1}'))
  answered()
  await expect(read).resolves.toEqual({ n: 1 })
  expect(asked.filter((url) => url.includes('/one'))).toHaveLength(2)
})

test('a refusal is thrown, and who no longer waits is not answered', async () => {
  answers.push(async () => new Response('{"kind":"Status","message":"no"}', { status: 403 }))
  await expect(readJSON('/two')).rejects.toThrow('no')
  const stop = new AbortController()
  const read = readJSON('/three', { signal: stop.signal })
  await vi.waitFor(() => expect(outage.value).not.toBeNull())
  stop.abort()
  await expect(read).rejects.toThrow(/abort/i)
})

test('an answer that breaks off is none: it is read again', async () => {
  const broken = new ReadableStream<Uint8Array>({ pull: (c) => c.error(new TypeError('network error')) })
  answers.push(async () => new Response(broken))
  const read = readJSON<{ n: number }>('/four')
  await vi.waitFor(() => expect(outage.value).not.toBeNull()) // asking whether the server is up fails too
  answers.push(async () => new Response('{"n":4}'))
  answered()
  await expect(read).resolves.toEqual({ n: 4 })
})

test('a server that says that it cannot serve is waited for, and one that says so of another is not', async () => {
  const unavailable = async () => new Response('{"kind":"Status","code":503,"message":"no database"}', { status: 503 })
  answers.push(unavailable, unavailable)
  const read = readText('/five')
  await vi.waitFor(() => expect(outage.value).not.toBeNull())
  expect(asked.at(-1)).toMatch(/\/readyz$/)
  answers.push(async () => new Response('five'))
  answered()
  await expect(read).resolves.toBe('five')
  answers.push(unavailable, async () => new Response('ok'))
  await expect(readText('/six')).rejects.toThrow('no database')
  expect(outage.value).toBeNull()
})
