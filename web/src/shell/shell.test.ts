import { expect, test } from 'vitest'
import type { Resource } from '../api/resource'
import type { Route } from '../route'
import { findKinds, groupOf, hintsOf, titleOf } from './kind'
import { choices } from './namespace'
import { placeOf, titleOfPage } from './title'

const kind = (id: string, name: string, ...shortNames: string[]): Resource => ({
  id,
  group: id.split('.').slice(1).join('.'),
  version: 'v1',
  plural: id.split('.')[0] ?? '',
  kind: name,
  namespaced: true,
  verbs: ['list'],
  shortNames,
  subresources: [],
})

const all = [
  kind('pods', 'Pod', 'po'),
  kind('poddisruptionbudgets.policy', 'PodDisruptionBudget', 'pdb'),
  kind('deployments.apps', 'Deployment', 'deploy'),
  kind('ingresses.networking.k8s.io', 'Ingress', 'ing'),
  kind('networkpolicies.networking.k8s.io', 'NetworkPolicy', 'netpol'),
  { ...kind('subjectaccessreviews.authorization.k8s.io', 'SubjectAccessReview'), verbs: ['create'] },
]

test.each([
  ['', ['Deployment', 'Ingress', 'NetworkPolicy', 'Pod', 'PodDisruptionBudget']],
  ['po', ['Pod', 'PodDisruptionBudget', 'NetworkPolicy']],
  ['PDB', ['PodDisruptionBudget']],
  ['networking', ['Ingress', 'NetworkPolicy']],
  ['review', []],
])('the kinds found for %j', (text, want) => {
  expect(findKinds(all, text).map((r) => r.kind)).toEqual(want)
})

test('kinds are sorted without regard to case, and Events are there once', () => {
  const some = [
    kind('csinodes.storage.k8s.io', 'CSINode'),
    kind('configmaps', 'ConfigMap'),
    kind('events', 'Event'),
    kind('events.events.k8s.io', 'Event'),
  ]
  expect(findKinds(some, '').map((r) => r.id)).toEqual(['configmaps', 'csinodes.storage.k8s.io', 'events'])
})

test.each([
  ['pods', 'workloads'],
  ['endpointslices.discovery.k8s.io', 'network'],
  ['secrets', 'config'],
  ['roles.rbac.authorization.k8s.io', 'access'],
  ['nodes', 'cluster'],
  ['leases.coordination.k8s.io', 'cluster'],
  ['crontabs.stable.example.com', 'custom'],
])('%s is listed under %s', (id, want) => {
  expect(groupOf(kind(id, 'X'))).toBe(want)
})

test('a kind stands with its short name, a custom resource with its group too', () => {
  expect(hintsOf(kind('configmaps', 'ConfigMap', 'cm'))).toEqual({ short: 'cm', group: '' })
  expect(hintsOf(kind('controllerrevisions.apps', 'ControllerRevision'))).toEqual({ short: '', group: '' })
  expect(hintsOf(kind('crontabs.example.com', 'CronTab', 'ct'))).toEqual({ short: 'ct', group: 'example.com' })
})

test.each([
  ['Pod', 'Pods'],
  ['Ingress', 'Ingresses'],
  ['NetworkPolicy', 'NetworkPolicies'],
  ['Endpoints', 'Endpoints'],
  ['PodMetrics', 'PodMetrics'],
  ['StorageClass', 'StorageClasses'],
])('the table of kind %s is called %s', (name, want) => {
  expect(titleOf(kind('x', name))).toBe(want)
})

const object: Route = { page: 'object', resource: 'deployments.apps', namespace: 'shop', name: 'web', tab: '', query: {} }

test('a page is called by what it shows', () => {
  const kinds = new Map(all.map((r) => [r.id, r]))
  expect(titleOfPage(object, kinds)).toBe('web · Deployment · shop')
  expect(titleOfPage({ page: 'table', resource: 'pods', query: { ns: 'shop' } }, kinds)).toBe('Pods · shop')
  expect(titleOfPage({ page: 'table', resource: 'nothings', query: {} }, kinds)).toBe('nothings')
  expect(titleOfPage({ page: 'overview', query: {} }, kinds)).toBe('Overview')
})

test('what only changes how a page is shown is the same place', () => {
  expect(placeOf({ ...object, tab: 'yaml', query: { at: '7' } })).toBe(placeOf(object))
  expect(placeOf({ ...object, name: 'other' })).not.toBe(placeOf(object))
  expect(placeOf({ page: 'table', resource: 'pods', query: { q: 'x' } })).toBe(placeOf({ page: 'table', resource: 'pods', query: {} }))
})

test('the namespace that is shown can be chosen even if it is gone', () => {
  expect(choices(['b', 'a'], '')).toEqual(['a', 'b'])
  expect(choices(['b'], 'a')).toEqual(['a', 'b'])
})
