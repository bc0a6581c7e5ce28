import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { overSocket, socketAt } from './socket'

/** Fake is the browser's end of a websocket, whose other end the test plays. */
class Fake {
  static last: Fake
  readonly sent: string[] = []
  closed = false
  onopen?: () => void
  onmessage?: ((e: { data: unknown }) => void) | null
  onclose?: ((e: { wasClean: boolean }) => void) | null
  constructor(readonly url: URL) {
    Fake.last = this
  }
  send(text: string) {
    this.sent.push(text)
  }
  close() {
    this.closed = true
  }
  body(text: string) {
    this.onmessage?.({ data: new TextEncoder().encode(text).buffer })
  }
}

beforeEach(() => vi.stubGlobal('WebSocket', Fake))
afterEach(() => vi.unstubAllGlobals())

const at = socketAt('http://localhost:8080', '/ui/')
const open = (signal?: AbortSignal) =>
  overSocket(at, { path: '/api/v1/pods?watch=true', accept: 'application/json', token: 'secret' }, signal)
const head = (code = 200) => Fake.last.onmessage?.({ data: JSON.stringify({ code, type: 'application/json' }) })

test('a websocket is opened beside the page', () => {
  expect(at.href).toBe('ws://localhost:8080/ui/socket')
  expect(socketAt('https://example', '/forks/x/ui/').href).toBe('wss://example/forks/x/ui/socket')
})

test('what is asked goes in a message, and the answer comes piece by piece', async () => {
  const answer = open()
  Fake.last.onopen?.()
  expect(Fake.last.url.href).not.toContain('secret')
  expect(JSON.parse(Fake.last.sent[0] ?? '')).toEqual({ path: '/api/v1/pods?watch=true', accept: 'application/json', token: 'secret' })
  head()
  const got = await answer
  expect([got.status, got.headers.get('Content-Type')]).toEqual([200, 'application/json'])
  Fake.last.body('{"a":')
  Fake.last.body('1}')
  Fake.last.onclose?.({ wasClean: true })
  expect(await got.text()).toBe('{"a":1}')
})

test('a refusal has its code and its words', async () => {
  const answer = open()
  head(410)
  Fake.last.body('too old')
  Fake.last.onclose?.({ wasClean: true })
  expect([(await answer).status, await (await answer).text()]).toEqual([410, 'too old'])
})

test('a server that is not there, or goes, is told from one that has no more to say', async () => {
  const none = open()
  Fake.last.onclose?.({ wasClean: true })
  await expect(none).rejects.toThrow(TypeError)
  const half = open()
  head()
  Fake.last.onclose?.({ wasClean: false })
  await expect((await half).text()).rejects.toThrow('lost')
})

test('who loses interest closes it, at whatever point', async () => {
  const gone = new AbortController()
  const early = open(gone.signal)
  gone.abort(new Error('enough'))
  await expect(early).rejects.toThrow('enough')
  expect(Fake.last.closed).toBe(true)
  await expect(open(gone.signal)).rejects.toThrow('enough')

  const later = new AbortController()
  const begun = open(later.signal)
  head()
  const text = (await begun).text()
  later.abort(new Error('enough'))
  await expect(text).rejects.toThrow('enough')
  expect(Fake.last.closed).toBe(true)

  const read = open()
  head()
  await (await read).body?.cancel()
  expect(Fake.last.closed).toBe(true)
  Fake.last.body('late')
})
