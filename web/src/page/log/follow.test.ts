import { expect, test } from 'vitest'
import { Place } from './follow'

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
