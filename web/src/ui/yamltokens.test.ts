import { expect, test } from 'vitest'
import { tokensOf } from './yamltokens'

const told = (text: string) =>
  tokensOf(text).map((line) =>
    line
      .filter((t) => t.text.trim() !== '')
      .map((t) => `${t.kind}<${t.text.trim()}>`)
      .join(' '),
  )

test.each<[string, string[]]>([
  ['replicas: 3', ['key<replicas> sign<:> value<3>']],
  ['  - name: web', ['sign<-> key<name> sign<:> text<web>']],
  ['- - a', ['sign<- -> text<a>']],
  ['image: nginx:1.28 # the newest', ['key<image> sign<:> text<nginx:1.28> comment<# the newest>']],
  ['# alone', ['comment<# alone>']],
  ['url: http://x/#part', ['key<url> sign<:> text<http://x/#part>']],
  ['"a: b": "c # d"', ['key<"a: b"> sign<:> text<"c # d">']],
  ['example.com/key: "true"', ['key<example.com/key> sign<:> text<"true">']],
  ['on: true', ['key<on> sign<:> value<true>']],
  ['resources: {}', ['key<resources> sign<:> value<{}>']],
  ['---', ['sign<--->']],
  ['-x: 1', ['key<-x> sign<:> value<1>']],
  ['a: |-\n  b: 1\n\n  # no\nc: 2', ['key<a> sign<:> sign<|->', 'text<b: 1>', '', 'text<# no>', 'key<c> sign<:> value<2>']],
  ['- |\n  b: 1\n- c', ['sign<-> sign<|>', 'text<b: 1>', 'sign<-> text<c>']],
  ['x:\n- a: >\n    t\n  b: 1', ['key<x> sign<:>', 'sign<-> key<a> sign<:> sign<>>', 'text<t>', 'key<b> sign<:> value<1>']],
])('%j is coloured', (text, want) => {
  expect(told(text)).toEqual(want)
})

test.each([
  '',
  'a: {b: [1, 2]}\n  \tx',
  '&a !!str "x\n',
  '%YAML 1.1\n? a\n: b',
  `${'k: v\n'.repeat(6000)}end`,
  '"'.repeat(2000),
  "'# ".repeat(800),
])('nothing is lost of text %#, whatever it is', (text) => {
  expect(
    tokensOf(text)
      .map((line) => line.map((t) => t.text).join(''))
      .join('\n'),
  ).toBe(text)
})
