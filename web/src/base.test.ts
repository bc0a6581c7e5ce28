import { expect, test } from 'vitest'
import { baseOf } from './base'

test.each([
  ['/ui/', { ui: '/ui/', api: '' }],
  ['/ui/pods/default/ui', { ui: '/ui/', api: '' }],
  ['/forks/before/ui/pods', { ui: '/forks/before/ui/', api: '/forks/before' }],
  ['/forks/ui/ui/pods/ui/ui', { ui: '/forks/ui/ui/', api: '/forks/ui' }],
  ['/', { ui: '/', api: '' }],
])('baseOf(%s)', (path, want) => {
  expect(baseOf(path)).toEqual(want)
})
