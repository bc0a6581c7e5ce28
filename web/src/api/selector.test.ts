import { expect, test } from 'vitest'
import { parseSelector, selectorText, selects } from './selector'

test.each([
  ['app=web', { app: 'web' }, true],
  ['app==web,tier!=back', { app: 'web' }, true],
  ['tier!=back', { tier: 'back' }, false],
  ['app in (web, api),!old', { app: 'api' }, true],
  ['app in (web, api),!old', { app: 'api', old: '' }, false],
  ['app notin (web)', { app: 'web' }, false],
  ['app', { app: '' }, true],
  ['example.com/app=', { 'example.com/app': '' }, true],
])('%s chooses among labels %j: %s', (text, labels, want) => {
  const s = parseSelector(text)
  expect(s && selects(s, labels as Record<string, string>)).toBe(want)
})

test.each(['', 'a b', '!a=b', 'a in web', 'a=(b'])('%j is no selector', (text) => {
  expect(parseSelector(text)).toBeUndefined()
})

test('a selector is read as it was written', () => {
  const text = 'app=web,tier in (a,b),!old,new'
  expect(selectorText(parseSelector(text) ?? {})).toBe(text)
})
