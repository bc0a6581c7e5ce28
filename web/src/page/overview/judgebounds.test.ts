import { expect, test } from 'vitest'
import type { Autoscaler } from '../../api/autoscaler'
import type { Budget } from '../../api/budget'
import { judgeAutoscaler, judgeBudget } from './judgebounds'
import type { Problem } from './problem'

const metadata = { name: 'b', namespace: 'shop', uid: 'b', resourceVersion: '1', creationTimestamp: '' }
const told = (all: readonly Problem[]) => all.map((p) => `${p.state} ${p.why} ${p.reason} ${JSON.stringify(p.values ?? {})}`)
const none = (reason: string) => [{ type: 'DisruptionAllowed', status: 'False', reason }]

test.each<[string, Budget['status'], string[]]>([
  ['allows one', { disruptionsAllowed: 1, currentHealthy: 3, desiredHealthy: 2, expectedPods: 3 }, []],
  [
    'has just as many as it needs',
    { disruptionsAllowed: 0, currentHealthy: 2, desiredHealthy: 2, expectedPods: 3, conditions: none('InsufficientPods') },
    ['wait budgetNone InsufficientPods {"healthy":2,"desired":2,"expected":3}'],
  ],
  [
    'has fewer than it needs',
    { disruptionsAllowed: 0, currentHealthy: 1, desiredHealthy: 2, expectedPods: 3 },
    ['warn budgetBroken InsufficientPods {"healthy":1,"desired":2,"expected":3}'],
  ],
  ['covers no Pods', { disruptionsAllowed: 0, currentHealthy: 0, desiredHealthy: 0, expectedPods: 0 }, []],
  ['cannot be computed', { disruptionsAllowed: 0, expectedPods: 0, conditions: none('SyncFailed') }, ['bad budgetFailed SyncFailed {}']],
  ['nobody has looked at', undefined, []],
])('PDB-008: a budget that %s', (_, status, want) => {
  expect(told(judgeBudget({ metadata, ...(status ? { status } : {}) }))).toEqual(want)
})

test.each<[string, [string, string, string][], string[]]>([
  ['is well', [['AbleToScale', 'True', 'ReadyForNewScale']], []],
  ['has no metrics', [['ScalingActive', 'False', 'FailedGetResourceMetric']], ['bad scalerBlind FailedGetResourceMetric {}']],
  ['rests', [['ScalingActive', 'False', 'ScalingDisabled']], []],
  [
    'finds no target',
    [
      ['AbleToScale', 'False', 'FailedGetScale'],
      ['ScalingActive', 'False', 'x'],
    ],
    ['bad scalerUnable FailedGetScale {}'],
  ],
  ['is at its most', [['ScalingLimited', 'True', 'TooManyReplicas']], ['warn scalerAtMost TooManyReplicas {"most":10}']],
  ['is at its least', [['ScalingLimited', 'True', 'TooFewReplicas']], []],
])('an autoscaler that %s', (_, conditions, want) => {
  const h: Autoscaler = {
    metadata,
    spec: { scaleTargetRef: { kind: 'Deployment', name: 'web' }, maxReplicas: 10 },
    status: { conditions: conditions.map(([type, status, reason]) => ({ type, status, reason })) },
  }
  expect(told(judgeAutoscaler(h))).toEqual(want)
})
