import { expect, test } from 'vitest'
import type { Meta, OwnerReference } from '../api/object'
import { type DrainPod, type Permission, planDrain, verdictOf } from './drainplan'

const owner = (kind: string): Partial<Meta> => ({
  ownerReferences: [{ apiVersion: 'apps/v1', kind, name: 'o', uid: 'o', controller: true } satisfies OwnerReference],
})
const pod = (meta: Partial<Meta>, rest: Omit<DrainPod, 'metadata'> = {}): DrainPod => ({
  metadata: { name: 'p', uid: 'p', resourceVersion: '1', creationTimestamp: '', ...meta },
  ...rest,
})
const scratch = { spec: { volumes: [{}, { emptyDir: {} }] } }
const no: Permission = { unmanaged: false, emptyDir: false }
const yes: Permission = { unmanaged: true, emptyDir: true }

test.each([
  ['of a ReplicaSet', pod(owner('ReplicaSet')), 'evict', 'evict'],
  ['of nobody', pod({}), 'unmanaged', 'evict'],
  ['of nobody, finished', pod({}, { status: { phase: 'Succeeded' } }), 'evict', 'evict'],
  ['of a DaemonSet', pod(owner('DaemonSet')), 'daemonset', 'daemonset'],
  ['of a DaemonSet, failed', pod(owner('DaemonSet'), { status: { phase: 'Failed' } }), 'evict', 'evict'],
  ['static', pod({ ...owner('Node'), annotations: { 'kubernetes.io/config.mirror': 'x' } }), 'mirror', 'mirror'],
  ['going already', pod({ ...owner('ReplicaSet'), deletionTimestamp: 'x' }), 'going', 'going'],
  ['with scratch data', pod(owner('ReplicaSet'), scratch), 'emptyDir', 'evict'],
  ['with scratch data, finished', pod(owner('Job'), { ...scratch, status: { phase: 'Failed' } }), 'evict', 'evict'],
])('a Pod %s', (_, p, cautious, bold) => {
  expect(verdictOf(p, no)).toBe(cautious)
  expect(verdictOf(p, yes)).toBe(bold)
})

test('a plan has every Pod once', () => {
  const pods = [pod({}), pod(owner('DaemonSet')), pod(owner('ReplicaSet')), pod(owner('ReplicaSet'))]
  const plan = planDrain(pods, no)
  expect(Object.fromEntries(Object.entries(plan).map(([k, v]) => [k, v.length]))).toEqual({
    evict: 2,
    daemonset: 1,
    mirror: 0,
    going: 0,
    unmanaged: 1,
    emptyDir: 0,
  })
})
