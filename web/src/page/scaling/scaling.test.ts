import { expect, test } from 'vitest'
import type { Autoscaler, MetricSpec, MetricStatus } from '../../api/autoscaler'
import type { KubeObject } from '../../api/object'
import { decisionsOf, type Frame, frameOf, levelsOf, metricName, reasonOf, scalingForm, told } from './history'
import { layOut, margin } from './picture'
import { ruleText, wordsOf } from './words'

const metadata = { name: 'web', uid: 'u', resourceVersion: '1', creationTimestamp: '' }
const cpu: MetricSpec = { type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 60 } } }
const used = (averageUtilization: number): MetricStatus => ({
  type: 'Resource',
  resource: { name: 'cpu', current: { averageUtilization } },
})
const scaler = (status: Autoscaler['status'], metrics: readonly MetricSpec[] = [cpu]): Autoscaler => ({
  metadata,
  spec: { scaleTargetRef: { kind: 'Deployment', name: 'web' }, minReplicas: 2, maxReplicas: 8, metrics },
  ...(status ? { status } : {}),
})
const frame = (revision: number, current: number, desired: number, use: number | null = null): Frame =>
  frameOf(
    scaler({ currentReplicas: current, desiredReplicas: desired, currentMetrics: use === null ? [] : [used(use)] }),
    revision,
    revision * 1000,
  )

test.each<[string, MetricSpec, MetricStatus | undefined, string]>([
  ['utilization', cpu, used(90), 'cpu 90% / 60% 1.5'],
  ['nothing read', cpu, undefined, 'cpu  / 60% null'],
  [
    'an average of Pods',
    { type: 'Pods', pods: { metric: { name: 'requests' }, target: { averageValue: '1k' } } },
    { type: 'Pods', pods: { metric: { name: 'requests' }, current: { averageValue: '500' } } },
    'requests 500 / 1k 0.5',
  ],
  [
    'one container',
    { type: 'ContainerResource', containerResource: { name: 'cpu', container: 'app', target: { averageValue: '200m' } } },
    {
      type: 'ContainerResource',
      containerResource: { name: 'cpu', container: 'app', current: { averageValue: '100m', averageUtilization: 5 } },
    },
    'cpu (app) 100m / 200m 0.5',
  ],
  [
    'another object',
    { type: 'Object', object: { metric: { name: 'hits' }, describedObject: { kind: 'Ingress', name: 'main' }, target: { value: '2k' } } },
    { type: 'Object', object: { metric: { name: 'hits' }, describedObject: { kind: 'Ingress', name: 'main' }, current: { value: '4k' } } },
    'hits (Ingress main) 4k / 2k 2',
  ],
  [
    'what there is none of',
    { type: 'External', external: { metric: { name: 'queue' }, target: { averageValue: '0' } } },
    undefined,
    'queue  / 0 null',
  ],
])('a metric of %s stands beside its target', (_, spec, status, want) => {
  const [l] = levelsOf(scaler({ currentMetrics: status ? [status] : null }, [spec]))
  expect(`${l?.name} ${l?.current} / ${l?.target} ${l?.share}`).toBe(want)
  expect(metricName(spec)).toBe(l?.name)
})

test('decisions are what changed how many replicas are wanted', () => {
  const frames = told([
    frame(1, 0, 0),
    frame(2, 2, 0),
    frame(3, 2, 2, 60),
    frame(4, 2, 2, 60),
    frame(5, 2, 5, 150),
    frame(6, 5, 5, 70),
    frame(7, 5, 3, 20),
  ])
  expect(frames.map((f) => f.revision)).toEqual([1, 2, 3, 5, 6, 7])
  const decisions = decisionsOf(frames)
  expect(decisions.map((d) => `${d.revision}: ${d.from} to ${d.to} at ${d.levels[0]?.current}`)).toEqual([
    '7: 5 to 3 at 20%',
    '5: 2 to 5 at 150%',
  ])
  const events = [
    { seen: 5100, message: 'New size: 5; reason: cpu resource utilization (percentage of request) above target' },
    { seen: 90_000, message: 'New size: 5; reason: another' },
  ]
  const [down, up] = decisions
  expect(up && reasonOf(up, events)).toBe('cpu resource utilization (percentage of request) above target')
  expect(down && reasonOf(down, events)).toBe('')
})

test('the log is read for what the picture shows', () => {
  const change = { revision: 7, at: '2026-01-01T00:00:00Z', uid: 'u', resource: 'horizontalpodautoscalers.autoscaling' }
  const object = scaler({ currentReplicas: 3, desiredReplicas: 4 }) as KubeObject
  expect(scalingForm.sampleOf({ ...change, verb: 'updated', object })).toMatchObject({
    revision: 7,
    current: 3,
    desired: 4,
    least: 2,
    most: 8,
  })
  expect(scalingForm.sampleOf({ ...change, verb: 'deleted', object })).toBeUndefined()
})

test('the picture has the replicas, and the metrics where they are known', () => {
  const frames = [frame(0, 2, 2, 60), frame(10, 2, 2), frame(20, 4, 4, 120)]
  const p = layOut({ frames, until: 40_000, width: margin.start + margin.end + 400 })
  expect(p.xs).toEqual([margin.start, margin.start + 100, margin.start + 200])
  const [known, again] = (p.metrics.lines[0]?.path ?? '').split('M').slice(1)
  expect(known).toBe(`${margin.start} ${p.metrics.target}H${margin.start + 100}`)
  expect(again).toMatch(new RegExp(`^${margin.start + 200} \\S+H${p.end}$`))
  expect(p.replicas.y(8)).toBeGreaterThan(0)
  expect(p.replicas.most).toContain(String(Math.round(p.replicas.y(8) * 10) / 10))
  expect(layOut({ frames: [], until: 0, width: 300 }).metrics.lines).toEqual([])
})

const condition = (type: string, status: string, reason: string) => ({ type, status, reason, message: 'so' })
test.each<[string, Autoscaler['status'], string]>([
  ['nobody looked at', undefined, 'wait hpa.waiting '],
  ['without a target', { conditions: [condition('AbleToScale', 'False', 'FailedGetScale')] }, 'bad hpa.unable so'],
  ['without metrics', { conditions: [condition('ScalingActive', 'False', 'FailedGetResourceMetric')] }, 'bad hpa.blind so'],
  ['at rest', { conditions: [condition('ScalingActive', 'False', 'ScalingDisabled')] }, 'idle hpa.disabled '],
  ['that scales', { currentReplicas: 2, desiredReplicas: 4, conditions: [condition('AbleToScale', 'True', 'x')] }, 'busy hpa.scaling '],
  [
    'at its most',
    { currentReplicas: 8, desiredReplicas: 8, conditions: [condition('ScalingLimited', 'True', 'TooManyReplicas')] },
    'warn hpa.atMost ',
  ],
  [
    'at its least',
    { currentReplicas: 2, desiredReplicas: 2, conditions: [condition('ScalingLimited', 'True', 'TooFewReplicas')] },
    'ok hpa.atLeast ',
  ],
  ['that fits', { currentReplicas: 3, desiredReplicas: 3, conditions: [condition('AbleToScale', 'True', 'x')] }, 'ok hpa.holding '],
])('an autoscaler %s says so', (_, status, want) => {
  const w = wordsOf(scaler(status))
  expect(`${w.state} ${w.key} ${w.raw}`).toBe(want)
})

test('rules are written as their fields have them', () => {
  const policies = [
    { type: 'Pods', value: 4, periodSeconds: 15 },
    { type: 'Percent', value: 100, periodSeconds: 15 },
  ]
  expect(ruleText({ policies, stabilizationWindowSeconds: 0 })).toBe('4 Pods/15s, 100 Percent/15s, Max, stabilizationWindowSeconds=0')
  expect(ruleText({ selectPolicy: 'Disabled', policies })).toBe('Disabled')
  expect(ruleText(undefined)).toBe('')
})
