import { expect, test } from 'vitest'
import { endOf, heard, protocols, sized, typed } from './channel'

const bytes = (...parts: (number | string)[]): ArrayBuffer => {
  const all = parts.flatMap((p) => (typeof p === 'number' ? [p] : [...new TextEncoder().encode(p)]))
  return new Uint8Array(all).buffer
}

test('what is typed and the size go on channels of their own', () => {
  expect([...typed('lé')]).toEqual([0, 0x6c, 0xc3, 0xa9])
  expect(new TextDecoder().decode(sized(80, 24))).toBe('\x04{"Width":80,"Height":24}')
})

test('a token is offered as it is for URLs, without padding', () => {
  expect(protocols(null)).toEqual(['v5.channel.k8s.io'])
  expect(protocols('a?>ÿ')).toEqual(['v5.channel.k8s.io', 'base64url.bearer.authorization.k8s.io.YT8-w78'])
})

test('output and errors are shown, empty messages are nothing', () => {
  expect(heard(bytes(1, 'out'))).toEqual({ output: new Uint8Array(bytes('out')) })
  expect(heard(bytes(2, 'err'))).toEqual({ output: new Uint8Array(bytes('err')) })
  expect(heard(bytes(1))).toBeNull()
  expect(heard(bytes())).toBeNull()
})

test.each([
  ['{"status":"Success"}', { code: 0 }],
  ['{"status":"Failure","reason":"NonZeroExitCode","message":"m","details":{"causes":[{"reason":"ExitCode","message":"7"}]}}', { code: 7 }],
  ['{"status":"Failure","reason":"InternalError","message":"no such file"}', { why: 'no such file' }],
  ['{"status":"Failure","reason":"NonZeroExitCode","message":"m"}', { why: 'm' }],
  ['not a Status', { why: 'not a Status' }],
])('a command ends: %s', (text, want) => {
  expect(endOf(text)).toEqual(want)
  expect(heard(bytes(3, text))).toEqual({ ended: want })
})
