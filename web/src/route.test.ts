import { expect, test } from 'vitest'
import { formatRoute, parseRoute, type Route } from './route'

const routes: [string, Route][] = [
  ['', { page: 'overview', query: {} }],
  ['pods?ns=a&q=x+y', { page: 'table', resource: 'pods', query: { ns: 'a', q: 'x y' } }],
  ['deployments.apps/default/web', { page: 'object', resource: 'deployments.apps', namespace: 'default', name: 'web', tab: '', query: {} }],
  ['nodes/_/node-1/events?at=7', { page: 'object', resource: 'nodes', namespace: '', name: 'node-1', tab: 'events', query: { at: '7' } }],
  ['-/changes', { page: 'other', name: 'changes', query: {} }],
  ['roles/_/a%2Fb', { page: 'object', resource: 'roles', namespace: '', name: 'a/b', tab: '', query: {} }],
]

test.each(routes)('%s is a route and back', (url, want) => {
  const [path = '', search = ''] = url.split('?')
  expect(parseRoute(path, search)).toEqual(want)
  expect(formatRoute(want)).toBe(url)
})

test.each([
  ['a/b/c/d/e', '', { page: 'other', name: 'a/b/c/d/e', query: {} }],
  ['-', '', { page: 'other', name: '-', query: {} }],
  ['pods/default', 'q=', { page: 'table', resource: 'pods', query: { ns: 'default' } }],
  ['pods/a/%zz', '', { page: 'object', resource: 'pods', namespace: 'a', name: '%zz', tab: '', query: {} }],
])('%s?%s', (path, search, want) => {
  expect(parseRoute(path, search)).toEqual(want)
})
