import { expect, test, vi } from 'vitest'
import { answered, beforeOthers, lost, outage, pauseBefore, tryNow, unreachable, untilBack } from './link'

test('the pauses before the server is asked again grow to five seconds, and differ between pages', () => {
  expect([0, 1, 2, 3, 4, 50].map((n) => pauseBefore(n, 1))).toEqual([500, 1000, 2000, 4000, 5000, 5000])
  expect(pauseBefore(3, 0)).toBe(3200)
  expect([200, 401, 403, 404, 500, 502, 503, 504].filter(unreachable)).toEqual([502, 503, 504])
})

test('an outage lasts until the server answers, and then all that waited goes on', async () => {
  vi.useFakeTimers()
  const status = [new TypeError('refused'), 503, 200]
  const asked: string[] = []
  vi.stubGlobal('fetch', async (url: string) => {
    asked.push(url)
    const next = status.shift()
    if (next instanceof Error) throw next
    return { status: next }
  })
  try {
    await untilBack() // there is nothing to wait for
    lost()
    const began = outage.value
    lost()
    expect(outage.value).toBe(began)
    const over: string[] = []
    beforeOthers(async () => {
      await null
      void untilBack().then(() => over.push('came late')) // the outage is over, and what goes first is not
      over.push('first')
    })
    const stop = new AbortController()
    void untilBack().then(() => over.push('waited'))
    void untilBack(stop.signal).then(() => over.push('gave up'))
    stop.abort()
    await vi.advanceTimersByTimeAsync(500)
    expect([asked.length, over, outage.value?.since]).toEqual([1, ['gave up'], began?.since])
    await tryNow() // a person cannot wait: a proxy answers
    expect([asked.length, outage.value === null]).toEqual([2, false])
    await vi.advanceTimersByTimeAsync(5_000)
    expect([asked.length, outage.value, over]).toEqual([3, null, ['gave up', 'first', 'waited', 'came late']])
    answered()
    await vi.advanceTimersByTimeAsync(60_000)
    expect(asked.length).toBe(3)
  } finally {
    vi.useRealTimers()
    vi.unstubAllGlobals()
  }
})
