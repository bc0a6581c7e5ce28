import { expect, test } from 'vitest'
import { baseOf } from './base'

test.each([
  ['/ui/', { ui: '/ui/', api: '', fork: '' }],
  ['/ui/pods/default/ui', { ui: '/ui/', api: '', fork: '' }],
  ['/forks/before/ui/pods', { ui: '/forks/before/ui/', api: '/forks/before', fork: 'before' }],
  ['/forks/ui/ui/pods/ui/ui', { ui: '/forks/ui/ui/', api: '/forks/ui', fork: 'ui' }],
  ['/', { ui: '/', api: '', fork: '' }],
])('baseOf(%s)', (path, want) => {
  expect(baseOf(path)).toEqual(want)
})
