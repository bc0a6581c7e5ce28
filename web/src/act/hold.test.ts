import { expect, test } from 'vitest'
import type { Budget } from '../api/budget'
import type { DrainPod } from './drainplan'
import { holdsOf } from './hold'

const ready = [{ type: 'Ready', status: 'True' }]
const meta = (name: string, more: object = {}) => ({
  name,
  namespace: 'shop',
  uid: name,
  resourceVersion: '1',
  creationTimestamp: '',
  ...more,
})
const pod = (name: string, app: string, status: object = { phase: 'Running', conditions: ready }, more: object = {}): DrainPod => ({
  metadata: meta(name, { labels: { app }, ...more }),
  status,
})
const budget = (name: string, app: string, allowed: number, more: object = {}, spec: object = {}): Budget => ({
  metadata: meta(name, { generation: 1 }),
  spec: { selector: { matchLabels: { app } }, ...spec },
  status: { observedGeneration: 1, disruptionsAllowed: allowed, currentHealthy: 2, desiredHealthy: 2, ...more },
})
const told = (pods: DrainPod[], budgets: Budget[]) => {
  const h = holdsOf(pods, budgets)
  const list = h.budgets.map((b) => `${b.budget.metadata.name} ${b.now}/${b.pods.map((p) => p.metadata.name).join()}`)
  return `${list.join(' ')} several ${h.several.map((p) => p.metadata.name).join()} held ${h.held}`
}
const unready = { phase: 'Running', conditions: [{ type: 'Ready', status: 'False' }] }
const short = { currentHealthy: 1 }

test.each<[string, DrainPod[], Budget[], string]>([
  ['PDB-008: lets one go', [pod('a', 'x'), pod('b', 'x'), pod('c', 'y')], [budget('x', 'x', 1)], 'x 1/a,b several  held 1'],
  ['that does not hold anything up', [pod('a', 'x')], [budget('x', 'x', 3)], 'x 1/a several  held 0'],
  [
    'puts those first that hold up more',
    [pod('a', 'x'), pod('b', 'y')],
    [budget('x', 'x', 1), budget('y', 'y', 0)],
    'y 0/b x 1/a several  held 1',
  ],
  ['cannot be one of two', [pod('a', 'x')], [budget('x', 'x', 1), budget('all', 'x', 1)], ' several a held 1'],
  ['of another namespace', [pod('a', 'x', undefined, { namespace: 'other' })], [budget('x', 'x', 0)], ' several  held 0'],
  ['has not looked at its change', [pod('a', 'x')], [budget('x', 'x', 1, { observedGeneration: 0 })], 'x 0/a several  held 1'],
  [
    'does not count what has not begun',
    [pod('a', 'x', { phase: 'Pending' }), pod('b', 'x', { phase: 'Failed' })],
    [budget('x', 'x', 0)],
    ' several  held 0',
  ],
  ['spares what is not ready', [pod('a', 'x', unready)], [budget('x', 'x', 0)], ' several  held 0'],
  ['does not while too few are healthy', [pod('a', 'x', unready)], [budget('x', 'x', 0, short)], 'x 0/a several  held 1'],
  [
    'always does if told to',
    [pod('a', 'x', unready)],
    [budget('x', 'x', 0, short, { unhealthyPodEvictionPolicy: 'AlwaysAllow' })],
    ' several  held 0',
  ],
])('a budget that %s', (_, pods, budgets, want) => {
  expect(told(pods, budgets)).toBe(want)
})
