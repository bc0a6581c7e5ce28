import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Stream } from '../../api/bundle'
import { ApiError } from '../../api/http'
import { Lines, Place } from './follow'

const streams: Stream[] = []
const ends: { done: () => void; failed: (e: unknown) => void }[] = []
vi.mock('../../api/bundle', () => ({
  follow: (s: Stream) =>
    new Promise<void>((done, failed) => {
      streams.push(s)
      ends.push({ done, failed })
    }),
}))

beforeEach(() => {
  streams.length = 0
  ends.length = 0
  vi.stubGlobal('requestAnimationFrame', (f: () => void) => {
    f()
    return 0
  })
})
afterEach(() => {
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

test('lines that come again are not new', () => {
  const p = new Place()
  const news = (...times: string[]) => times.filter((at) => p.isNew(at))
  expect(news('a', 'b', 'b')).toEqual(['a', 'b', 'b'])
  p.again()
  expect(news('a', 'b', 'b', 'b', 'c')).toEqual(['b', 'c'])
  p.again()
  p.again()
  expect(news('c', 'c')).toEqual(['c'])
  expect(p.at).toBe('c')
})

const pods = {
  ...{ id: 'pods', group: '', version: 'v1', plural: 'pods', kind: 'Pod', namespaced: true },
  ...{ verbs: [], shortNames: [], subresources: [] },
}
const asked = { pods, namespace: 'shop', pod: 'web', container: 'main', previous: false, follow: true, until: '' }

test('a log that broke off goes on where it was, once the server answers', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const lines = new Lines()
  const read = lines.read(asked)
  expect(streams[0]?.query()).toMatchObject({ follow: true, tailLines: 1000 })
  streams[0]?.opened?.()
  streams[0]?.take(['2026-01-01T00:00:00Z one', '2026-01-01T00:00:01Z two'])
  ends[0]?.failed(new TypeError('network error'))
  await vi.advanceTimersByTimeAsync(500)
  expect(streams).toHaveLength(2)
  expect(streams[1]?.query()).toMatchObject({ follow: true, sinceTime: '2026-01-01T00:00:01Z' })
  streams[1]?.opened?.()
  streams[1]?.take(['2026-01-01T00:00:01Z two', '2026-01-01T00:00:02Z three'])
  ends[1]?.done()
  await read
  expect(lines.kept.map((l) => l.text)).toEqual(['one', 'two', 'three'])
})

test('a log that may not be read is refused', async () => {
  const read = new Lines().read(asked)
  ends[0]?.failed(new ApiError({ message: 'forbidden' }, 403))
  await expect(read).rejects.toThrow('forbidden')
  expect(streams).toHaveLength(1)
})
