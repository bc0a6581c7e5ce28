import { expect, test } from 'vitest'
import type { Resource } from '../api/resource'
import type { Deployment, ReplicaSet } from '../api/workload'
import { pause, restart, restore, same, scale, setImage, templateOf, undo } from './workload'

const deployments: Resource = {
  id: 'deployments.apps',
  group: 'apps',
  version: 'v1',
  plural: 'deployments',
  kind: 'Deployment',
  namespaced: true,
  verbs: [],
  shortNames: [],
  subresources: ['scale'],
}
const template = (image: string, hash?: string) => ({
  metadata: { labels: { app: 'web', ...(hash ? { 'pod-template-hash': hash } : {}) } },
  spec: { containers: [{ name: 'main', image }] },
})
const meta = (annotations: Record<string, string>) => ({
  name: 'web',
  namespace: 'shop',
  uid: 'u',
  resourceVersion: '7',
  creationTimestamp: '2026-01-01T00:00:00Z',
  annotations,
})
const web = (paused = false): Deployment => ({
  metadata: meta({ 'deployment.kubernetes.io/revision': '2', 'kubernetes.io/change-cause': 'second', team: 'red' }),
  spec: { selector: {}, template: template('web:2'), ...(paused ? { paused } : {}) },
})
const first: ReplicaSet = {
  metadata: meta({
    'deployment.kubernetes.io/revision': '1',
    'deployment.kubernetes.io/max-replicas': '4',
    'kubernetes.io/change-cause': 'first',
  }),
  spec: { selector: {}, template: template('web:1', 'abc') },
}
const path = '/apis/apps/v1/namespaces/shop/deployments/web'

test('undo asks for what kubectl rollout undo asks for', () => {
  expect(undo(deployments, web(), first)).toEqual({
    path,
    method: 'PATCH',
    type: 'application/json-patch+json',
    body: [
      { op: 'replace', path: '/spec/template', value: template('web:1') },
      {
        op: 'replace',
        path: '/metadata/annotations',
        value: { 'deployment.kubernetes.io/revision': '2', 'kubernetes.io/change-cause': 'first' },
      },
    ],
  })
})

test('undo and restart refuse what kubectl refuses', () => {
  expect(undo(deployments, web(true), first)).toBe('paused')
  expect(undo(deployments, web(), { ...first, spec: { selector: {}, template: template('web:2', 'def') } })).toBe('same')
  expect(restart(deployments, web(true), 0)).toBe('paused')
})

test('the others', () => {
  expect(scale(deployments, web(), 7)).toMatchObject({ path: `${path}/scale`, body: { spec: { replicas: 7 } } })
  expect(pause(deployments, web(), true)).toMatchObject({ path, body: { spec: { paused: true } } })
  expect(pause(deployments, web(true), false)).toMatchObject({ path, body: { spec: { paused: null } } })
  expect(restart(deployments, web(), Date.UTC(2026, 0, 2, 3, 4, 5, 678))).toMatchObject({
    body: { spec: { template: { metadata: { annotations: { 'kubectl.kubernetes.io/restartedAt': '2026-01-02T03:04:05Z' } } } } },
  })
  expect(setImage(deployments, web(), 'main', 'web:3')).toMatchObject({
    type: 'application/strategic-merge-patch+json',
    body: { spec: { template: { spec: { containers: [{ name: 'main', image: 'web:3' }] } } } },
  })
  expect(setImage(deployments, web(), 'main', 'web:2')).toBe('same')
  expect(setImage(deployments, web(), 'other', 'web:2')).toBe('unknown')
})

test('templateOf takes only the hash away', () => {
  expect(templateOf(template('a', 'h'))).toEqual(template('a'))
  expect(templateOf({})).toEqual({ metadata: { labels: {} } })
})

test.each([
  [{ a: 1, b: [1, { c: 2 }] }, { b: [1, { c: 2 }], a: 1 }, true],
  [{ a: 1 }, { a: 1, b: undefined }, true],
  [{ a: 1 }, { a: 1, b: null }, false],
  [[1, 2], { 0: 1, 1: 2 }, false],
  [{ a: 1 }, { b: 1 }, false],
  [null, {}, false],
])('same(%j, %j) is %j', (a, b, want) => {
  expect(same(a, b)).toBe(want)
})

test('a StatefulSet goes back to a revision by the patch that the revision holds', () => {
  const sets = { ...deployments, id: 'statefulsets.apps', plural: 'statefulsets' }
  const template = { metadata: { labels: { app: 'db' } }, spec: { containers: [{ name: 'main', image: 'two' }] } }
  const o = { metadata: { name: 'db', namespace: 'n', uid: 'u', resourceVersion: '1', creationTimestamp: '' }, spec: { template } }
  const data = { spec: { template: { $patch: 'replace', ...template, spec: { containers: [{ name: 'main', image: 'one' }] } } } }
  const revision = { metadata: { ...o.metadata, name: 'db-1' }, revision: 1, data }
  expect(restore(sets, o, revision)).toEqual({
    path: '/apis/apps/v1/namespaces/n/statefulsets/db',
    method: 'PATCH',
    type: 'application/strategic-merge-patch+json',
    body: data,
  })
  expect(restore(sets, o, { ...revision, data: { spec: { template: { $patch: 'replace', ...template } } } as typeof data })).toBe('same')
})
