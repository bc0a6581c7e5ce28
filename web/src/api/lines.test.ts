import { expect, test } from 'vitest'
import { linesOf, splitLines } from './lines'

test('splitLines keeps what is not a whole line yet', () => {
  expect(splitLines('a\nb\n\nc')).toEqual({ lines: ['a', 'b'], rest: 'c' })
  expect(splitLines('')).toEqual({ lines: [], rest: '' })
})

test('linesOf reads lines however they are cut into pieces', async () => {
  const bytes = new TextEncoder().encode('{"n":"é"}\n{"n":2}\nlast')
  for (let size = 1; size <= bytes.length; size++) {
    const pieces = new ReadableStream({
      start(c) {
        for (let i = 0; i < bytes.length; i += size) c.enqueue(bytes.slice(i, i + size))
        c.close()
      },
    })
    const got: string[] = []
    for await (const lines of linesOf(new Response(pieces))) got.push(...lines)
    expect(got).toEqual(['{"n":"é"}', '{"n":2}', 'last'])
  }
})
