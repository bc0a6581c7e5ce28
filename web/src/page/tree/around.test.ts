import { expect, test } from 'vitest'
import type { Autoscaler } from '../../api/autoscaler'
import type { Budget } from '../../api/budget'
import type { KubeObject, Meta } from '../../api/object'
import { aroundOf, claimNames, type Ingress, type Service } from './around'

const meta = (name: string): Meta => ({ name, namespace: 'shop', uid: name, resourceVersion: '1', creationTimestamp: '' })
const template = { metadata: { labels: { app: 'db', tier: 'back' } } }
const set = (more: object = {}): KubeObject => ({ metadata: meta('db'), spec: { replicas: 2, template, ...more } })
const service = (name: string, selector?: Record<string, string>): Service => ({ metadata: meta(name), spec: selector ? { selector } : {} })
const budget = (name: string, spec: Budget['spec']): Budget => ({ metadata: meta(name), ...(spec ? { spec } : {}) })
const scaler = (name: string, kind: string, target: string): Autoscaler => ({
  metadata: meta(name),
  spec: { scaleTargetRef: { kind, name: target }, maxReplicas: 3 },
})
const ingress = (name: string, ...to: string[]): Ingress => ({
  metadata: meta(name),
  spec: { rules: [{ http: { paths: to.map((service) => ({ backend: { service: { name: service } } })) } }] },
})
const nothing = { services: [], ingresses: [], budgets: [], autoscalers: [], claims: [] }
const names = (all: readonly KubeObject[]) => all.map((o) => o.metadata.name)

test('what selects the Pods of a workload, or names it, is around it', () => {
  const around = aroundOf('StatefulSet', set({ serviceName: 'headless', volumeClaimTemplates: [{ metadata: { name: 'data' } }] }), {
    services: [service('web', { app: 'db' }), service('headless'), service('other', { app: 'x' }), service('manual'), service('all', {})],
    ingresses: [ingress('shop', 'other', 'web'), ingress('elsewhere', 'other'), { metadata: meta('empty') }],
    budgets: [
      budget('mine', { selector: { matchLabels: { tier: 'back' } } }),
      budget('every', { selector: {} }),
      budget('nobody', {}),
      budget('theirs', { selector: { matchLabels: { tier: 'front' } } }),
    ],
    autoscalers: [scaler('right', 'StatefulSet', 'db'), scaler('kind', 'Deployment', 'db'), scaler('name', 'StatefulSet', 'x')],
    claims: ['data-db-0', 'data-db-1', 'data-db-2', 'other'].map((name) => ({ metadata: meta(name) })),
  })
  expect(names(around.services)).toEqual(['headless', 'web'])
  expect(names(around.ingresses)).toEqual(['shop'])
  expect(names(around.budgets)).toEqual(['every', 'mine'])
  expect(names(around.autoscalers)).toEqual(['right'])
  expect(names(around.claims)).toEqual(['data-db-0', 'data-db-1'])
  expect(around.missing).toBe('')
})

test.each([
  ['StatefulSet', { serviceName: 'gone' }, 'gone'],
  ['StatefulSet', {}, ''],
  ['Deployment', { serviceName: 'gone' }, ''],
])('of a %s with %j the missing Service is %j', (kind, more, want) => {
  expect(aroundOf(kind, set(more), nothing).missing).toBe(want)
})

test.each([
  ['Deployment', { template: { spec: { volumes: [{ persistentVolumeClaim: { claimName: 'files' } }, {}] } } }, ['files']],
  ['CronJob', { jobTemplate: { spec: { template: { spec: { volumes: [{ persistentVolumeClaim: { claimName: 'out' } }] } } } } }, ['out']],
  ['StatefulSet', { ordinals: { start: 5 }, volumeClaimTemplates: [{ metadata: { name: 'www' } }] }, ['www-db-5', 'www-db-6']],
  ['Pod', { volumes: [{ persistentVolumeClaim: { claimName: 'own' } }] }, ['own']],
])('a %s with %j mounts %j', (kind, more, want) => {
  expect([...claimNames(kind, set(more))]).toEqual(want)
})
