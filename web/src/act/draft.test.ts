import { expect, test } from 'vitest'
import type { KubeObject } from '../api/object'
import type { Resource } from '../api/resource'
import { applyChanges, bodyOf, clean, parsed, write } from './draft'

const resource: Resource = {
  id: 'deployments.apps',
  group: 'apps',
  version: 'v1',
  plural: 'deployments',
  kind: 'Deployment',
  namespaced: true,
  verbs: [],
  shortNames: [],
  subresources: ['status'],
}
const object: KubeObject = {
  metadata: { name: 'web', uid: 'u', resourceVersion: '7', generation: 2, creationTimestamp: 'then', labels: { a: 'b' } },
  spec: { replicas: 1 },
  status: { replicas: 1 },
}

test('what is edited has no noise', () => {
  const want = { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'web', labels: { a: 'b' } }, spec: { replicas: 1 } }
  expect(clean(resource, object)).toEqual(want)
  expect(clean({ ...resource, subresources: [] }, object)).toEqual({ ...want, status: { replicas: 1 } })
})

test.each([
  'yes',
  'no',
  'on',
  'off',
  'true',
  'null',
  '~',
  '1',
  '0x1',
  '1e3',
  '1:30',
  '2020-01-01',
  '',
  ' x',
  '# x',
  'a: b',
  '- a',
  '*a',
  '&a',
  '!a',
  '|',
  '\u202e',
  'a\nb',
])('%j stays a text', (text) => {
  const yaml = write({ data: { key: text } })
  expect(parsed(yaml)).toEqual({ data: { key: text } })
  if (/^(yes|no|on|off)$/.test(text)) expect(yaml).toContain('"')
})

test('a body is of the version that the text began with', () => {
  const body = bodyOf('# mine\nmetadata:\n  name: web # here\nspec: {on: yes}\n', object)
  expect(body).toBe('# mine\nmetadata:\n  name: web # here\n  uid: u\n  resourceVersion: "7"\nspec: { on: yes }\n')
})

test('changes are written into a text that is otherwise left alone', () => {
  const text = '# mine\nspec:\n  replicas: 1 # one\n  old: x\n'
  const changes = [
    { path: ['spec', 'old'], before: 'x', after: undefined },
    { path: ['spec', 'paused'], before: undefined, after: true },
    { path: ['metadata', 'labels'], before: undefined, after: { a: 'on' } },
  ]
  expect(applyChanges(text, changes)).toBe('# mine\nspec:\n  replicas: 1 # one\n  paused: true\nmetadata:\n  labels:\n    a: "on"\n')
})

test.each(['a: [', 'a: 1\na: 2'])('%j says nothing', (text) => {
  expect(parsed(text)).toBeUndefined()
})
