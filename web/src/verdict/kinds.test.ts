import { describe, expect, test } from 'vitest'
import type { Autoscaler } from '../api/autoscaler'
import type { Budget } from '../api/budget'
import type { KubeObject } from '../api/object'
import type { DaemonSet, StatefulSet } from '../api/sets'
import { autoscalerVerdict, budgetVerdict } from './bounds'
import { cronJobVerdict, jobVerdict } from './job'
import { nodeVerdict } from './node'
import { phaseVerdict } from './phase'
import { daemonSetVerdict, statefulSetVerdict } from './sets'
import { judgedWhole, stateOf } from './state'
import type { Verdict } from './verdict'
import { replicaSetVerdict } from './workload'

const metadata = { name: 'x', uid: 'x', resourceVersion: '1', generation: 1, creationTimestamp: '' }
const made = (spec: object, status: object, more: object = {}) => ({ metadata: { ...metadata, ...more }, spec, status }) as KubeObject
const is = (type: string, status = 'True', reason = '') => ({ conditions: [{ type, status, reason }] })
const going = { deletionTimestamp: '2026-01-01T00:00:00Z' }
const said = (v: Verdict): string => `${v.state} ${v.word}`

describe('a StatefulSet', () => {
  const ready = { replicas: 3, readyReplicas: 3, updatedReplicas: 3 }
  test.each<[string, object, object, boolean, string]>([
    ['whose Pods are ready', {}, ready, false, 'ok Ready'],
    ['whose Pods are ready, though one failed', {}, ready, true, 'ok Ready'],
    ['that lacks a Pod', {}, { ...ready, readyReplicas: 2 }, false, 'busy NotReady'],
    ['that lacks a Pod, as one fails', {}, { ...ready, readyReplicas: 2 }, true, 'warn NotReady'],
    ['under way', {}, { ...ready, updatedReplicas: 1 }, false, 'busy Progressing'],
    ['with one Pod too many', {}, { ...ready, replicas: 4 }, false, 'busy Progressing'],
    ['held by a partition', { updateStrategy: { rollingUpdate: { partition: 2 } } }, { ...ready, updatedReplicas: 1 }, false, 'ok Ready'],
    ['updated by deletion', { updateStrategy: { type: 'OnDelete' } }, { ...ready, updatedReplicas: 1 }, false, 'ok Ready'],
    ['not observed', {}, { ...ready, observedGeneration: 0 }, false, 'busy Progressing'],
    ['of nothing', { replicas: 0 }, {}, false, 'idle Ready'],
  ])('%s', (_, spec, status, failing, want) => {
    const s = made({ replicas: 3, ...spec }, status) as StatefulSet
    expect(said(statefulSetVerdict(s, failing))).toBe(want)
    // A table shows the same for its row.
    const seen = { object: s, now: 0, printed: 0, failing }
    expect(stateOf('statefulsets.apps', s.metadata, () => '', seen)).toBe(want.split(' ')[0])
  })
})

describe('a DaemonSet', () => {
  const all = { desiredNumberScheduled: 2, currentNumberScheduled: 2, numberAvailable: 2, updatedNumberScheduled: 2 }
  test.each<[string, object, object, boolean, string, number?]>([
    ['on all nodes', {}, all, false, 'ok Available'],
    ['that misses a node', {}, { ...all, currentNumberScheduled: 1 }, false, 'bad NotScheduled', 30_000],
    ['that a node has just joined', {}, { ...all, desiredNumberScheduled: 3 }, false, 'busy NotScheduled', 2_000],
    ['under way', {}, { ...all, updatedNumberScheduled: 1 }, false, 'busy Progressing'],
    ['updated by deletion', { updateStrategy: { type: 'OnDelete' } }, { ...all, updatedNumberScheduled: 1 }, false, 'ok Available'],
    ['not available', {}, { ...all, numberAvailable: 1 }, false, 'busy NotAvailable'],
    ['that fails', {}, { ...all, numberAvailable: 1 }, true, 'warn NotAvailable'],
    ['for no node', {}, {}, false, 'idle Available'],
  ])('%s', (_, spec, status, failing, want, standing) => {
    expect(said(daemonSetVerdict(made(spec, status) as DaemonSet, failing, standing))).toBe(want)
  })
})

test.each<[string, Verdict, string]>([
  ['a full ReplicaSet', replicaSetVerdict(made({ replicas: 2 }, { replicas: 2, availableReplicas: 2 })), 'ok Available'],
  ['a ReplicaSet of nothing', replicaSetVerdict(made({ replicas: 0 }, {})), 'idle Available'],
  ['a ReplicaSet that shrinks', replicaSetVerdict(made({ replicas: 0 }, { replicas: 1 })), 'busy Progressing'],
  ['a ReplicaSet whose Pods fail', replicaSetVerdict(made({ replicas: 2 }, { replicas: 2 }), true), 'warn Progressing'],
  ['a ReplicaSet without leave', replicaSetVerdict(made({}, is('ReplicaFailure', 'True', 'FailedCreate'))), 'bad FailedCreate'],
  ['a complete Job', jobVerdict(made({}, is('Complete'))), 'done Complete'],
  ['a failed Job that is being deleted', jobVerdict(made({}, is('Failed'), going)), 'bad Failed'],
  ['a Job that is being deleted', jobVerdict(made({}, {}, going)), 'going Terminating'],
  ['a suspended Job', jobVerdict(made({ suspend: true }, is('Suspended'))), 'idle Suspended'],
  ['a Job that has failed, but for its Pods', jobVerdict(made({}, is('FailureTarget'))), 'bad FailureTarget'],
  [
    'a Job that has succeeded, but for its Pods',
    jobVerdict(made({}, { failed: 1, ...is('SuccessCriteriaMet') })),
    'busy SuccessCriteriaMet',
  ],
  ['a Job', jobVerdict(made({}, {})), 'busy Running'],
  ['a Job that tries again', jobVerdict(made({}, { failed: 1 })), 'warn Running'],
  ['a suspended CronJob', cronJobVerdict(made({ suspend: true }, { active: [{}] })), 'idle Suspended'],
  ['a CronJob with a run', cronJobVerdict(made({}, { active: [{}] })), 'busy Active'],
  ['a CronJob', cronJobVerdict(made({}, {})), 'ok Scheduled'],
  ['a node', nodeVerdict(made({}, is('Ready'))), 'ok Ready'],
  ['a cordoned node', nodeVerdict(made({ unschedulable: true }, is('Ready'))), 'wait Ready,SchedulingDisabled'],
  ['a node that does not report', nodeVerdict(made({}, is('Ready', 'Unknown'))), 'bad NotReady'],
  ['a node of which nothing is known', nodeVerdict(made({}, {})), 'bad Unknown'],
  [
    'a node short of memory',
    nodeVerdict(made({}, { conditions: [...is('Ready').conditions, ...is('MemoryPressure').conditions] })),
    'warn Ready',
  ],
  ['a claim', phaseVerdict('persistentvolumeclaims', made({}, { phase: 'Bound' })), 'ok Bound'],
  ['a claim that waits', phaseVerdict('persistentvolumeclaims', made({}, {})), 'wait Pending'],
  ['a namespace', phaseVerdict('namespaces', made({}, {})), 'ok Active'],
  ['a namespace that is being deleted', phaseVerdict('namespaces', made({}, { phase: 'Terminating' }, going)), 'going Terminating'],
  ['a budget', budgetVerdict(made({}, { observedGeneration: 1, disruptionsAllowed: 1, expectedPods: 2 }) as Budget), 'ok SufficientPods'],
  ['a budget of no Pods', budgetVerdict(made({}, { observedGeneration: 1 }) as Budget), 'idle InsufficientPods'],
  [
    'a budget that is undercut',
    budgetVerdict(made({}, { observedGeneration: 1, expectedPods: 2, currentHealthy: 1, desiredHealthy: 2 }) as Budget),
    'warn InsufficientPods',
  ],
  [
    'an autoscaler',
    autoscalerVerdict(made({}, is('ScalingLimited', 'False', 'DesiredWithinRange')) as Autoscaler),
    'ok DesiredWithinRange',
  ],
  [
    'an autoscaler at its maximum',
    autoscalerVerdict(made({}, is('ScalingLimited', 'True', 'TooManyReplicas')) as Autoscaler),
    'warn TooManyReplicas',
  ],
  [
    'an autoscaler at rest',
    autoscalerVerdict(made({}, is('ScalingActive', 'False', 'ScalingDisabled')) as Autoscaler),
    'idle ScalingDisabled',
  ],
])('%s', (_, verdict, want) => {
  expect(said(verdict)).toBe(want)
})

test('a row is judged by its cells where they tell, and else by its object', () => {
  const seen = { now: 0, printed: 0 }
  expect(stateOf('persistentvolumes', metadata, () => 'Released', seen)).toBe('done')
  expect(stateOf('namespaces', { ...metadata, ...going }, () => 'Active', seen)).toBe('going')
  expect(stateOf('events', metadata, () => 'Warning', seen)).toBe('warn')
  expect(stateOf('configmaps', metadata, () => '', seen)).toBeUndefined()
  expect(stateOf('configmaps', { ...metadata, ...going }, () => '', seen)).toBeUndefined()
  for (const resource of judgedWhole) expect(stateOf(resource, metadata, () => '', { ...seen, object: { metadata } })).toBeDefined()
  expect(stateOf('nodes', metadata, () => 'Ready', seen)).toBeUndefined()
})
