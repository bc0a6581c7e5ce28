import { expect, test } from 'vitest'
import { en } from './en'
import { messages as es } from './es'
import { choose, fill, formatClock, formatNumber, formatTime, isolated, language, t } from './index'
import { messages as ja } from './ja'
import type { Key, Message } from './messages'
import { messages as pt } from './pt'
import { messages as zh } from './zh'

const forms = (m: Message): string[] => (typeof m === 'string' ? [m] : Object.values(m))
const places = (text: string): string[] => [...text.matchAll(/\{(\w+)\}/g)].map((m) => m[1] ?? '').sort()

// The compiler checks that every language has every key.
test.each(Object.entries({ es, pt, ja, zh }))('%s has a place for every value that English has one for', (_, other) => {
  for (const key of Object.keys(en) as Key[]) {
    const want = new Set(forms(en[key]).flatMap(places))
    for (const form of forms(other[key])) {
      expect(form, key).not.toBe('')
      expect(new Set(places(form)), key).toEqual(want)
    }
  }
})

// Each term has one word in a language. These were replaced, and must not come back.
test.each<[string, Record<Key, Message>, RegExp]>([
  ['es', es, /Entonces y ahora|Tab sangra|levantar|Qué ha sido de ello|Fallidos de permitidos|Saltar a lo próximo/i],
  ['pt', pt, /mudança|distribuiç|Então e agora|Por vez|\bsome\b|suspensa/i],
  [
    'ja',
    ja,
    /[（）]|ファミリー|前進|消滅|利用可能でない|[\u3040-\u30ff\u4e00-\u9fff] Pod|Pod [\u3040-\u30ff\u4e00-\u9fff]|Pod \{(n|total)\}個/,
  ],
  ['zh', zh, /命名空间|变更|家族|故意|消失|[(),;!?]/],
])('%s uses none of the words that were replaced', (_, all, bad) => {
  const said = Object.entries(all).flatMap(([key, m]) => forms(m).map((text) => `${key}: ${text}`))
  expect(said.filter((text) => bad.test(text))).toEqual([])
})

test.each([
  ['pt', [], 'pt'],
  [null, ['fr-FR', 'es-MX', 'en'], 'es'],
  [null, ['zh-Hant-TW'], 'zh'],
  ['klingon', ['ja'], 'ja'],
  ['constructor', ['fr'], 'en'],
])('choose(%s, %j) is %s', (asked, preferred, want) => {
  expect(choose(asked, preferred)).toBe(want)
})

test('fill leaves places alone for which there is no value', () => {
  expect(fill('{a} of {b}', { a: 1 })).toBe('1 of {b}')
  expect(fill('{toString}', {})).toBe('{toString}')
})

test.each([
  ['plain', 'plain'],
  ['اسم', '\u2068اسم\u2069'],
  ['a\u202egpj', '\u2068a\u202egpj\u2069'],
  ['a\u2067b', '\u2068a\u2067b\u2069\u2069'], // its own isolate is closed
  ['a\u2069\u202eb', '\u2068a\u202eb\u2069'], // it does not close the one around it
  ['\u2066a\u2069', '\u2068\u2066a\u2069\u2069'],
])('isolated(%j) keeps the direction of the text around', (value, want) => {
  expect(isolated(value)).toBe(want)
  expect(fill('{v}!', { v: value })).toBe(`${want}!`)
})

test('t chooses the plural and writes the number', () => {
  language.value = 'en'
  expect(t('load.remaining', { n: 1 })).toBe('1 more to load')
  expect(t('load.remaining', { n: 9500 })).toBe('9,500 more to load')
})

test('numbers and times of one page are written in one way', () => {
  language.value = 'en'
  expect(t('log.lines', { n: 1003 })).toBe('1,003 lines')
  expect(t('log.found', { n: 1001, all: formatNumber(1003) })).toBe('1,001 of 1,003 lines')
  const at = new Date(2026, 0, 2, 9, 47, 15)
  expect(formatTime(at)).toContain(formatClock(at))
})
