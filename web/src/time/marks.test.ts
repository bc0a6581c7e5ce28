import { expect, test } from 'vitest'
import type { Change } from './log'
import { describedOf, groupsOf, kindOf, type Mark, markOf, marksOfWarning } from './marks'

const change = (more: Partial<Change>): Change => ({
  revision: 7,
  at: '2026-01-01T00:00:00Z',
  verb: 'created',
  resource: 'deployments.apps',
  kind: 'Deployment',
  apiVersion: 'apps/v1',
  namespace: 'shop',
  name: 'web',
  uid: 'u',
  writer: { userAgent: 'kubectl' },
  ...more,
})

test.each<[Partial<Change>, string | null]>([
  [{}, 'request'],
  [{ cause: 3 }, null],
  [{ resource: 'events' }, null],
  [{ writer: { controller: 'deployment-controller' }, resource: 'replicasets.apps', cause: 3 }, 'rollout'],
  [{ writer: { controller: 'deployment-controller' }, resource: 'replicasets.apps', cause: 3, verb: 'updated' }, null],
  [{ writer: { controller: 'job-controller' }, resource: 'pods', cause: 3 }, null],
  [{ resource: 'faults.rowlock.io' }, 'fault'],
  [{ resource: 'faults.rowlock.io', verb: 'deleted', writer: { controller: 'fault-injector' } }, 'fault'],
  [{ resource: 'faults.rowlock.io', verb: 'updated' }, null],
])('%j is marked as %s', (c, want) => {
  expect(markOf(change(c), () => 'kubectl')?.kind ?? null).toBe(want)
})

test('a problem begins with its first Event, and ends when nothing has been heard for longer than a back-off', () => {
  const e = {
    metadata: { creationTimestamp: '2026-01-01T00:00:00Z' },
    reason: 'BackOff',
    firstTimestamp: '2026-01-01T00:00:00Z',
    lastTimestamp: '2026-01-01T00:02:00Z',
    count: 5,
  }
  const last = Date.parse(e.lastTimestamp)
  expect(marksOfWarning(e, last + 60_000).map((m) => m.what)).toEqual(['began'])
  expect(marksOfWarning(e, last + 600_000).map((m) => [m.what, m.at - last])).toEqual([
    ['began', -120_000],
    ['ended', 0],
  ])
})

test('marks at one place are one group, drawn as the most telling of them', () => {
  const mark = (kind: Mark['kind'], at: number): Mark => ({ kind, at, what: 'created', by: '' })
  const groups = groupsOf(
    [mark('request', 50), mark('problem', 51), mark('request', 10), mark('fault', 99)],
    (m) => (m.at > 90 ? null : m.at / 100),
    0.05,
  )
  expect(groups.map((g) => [g.place, kindOf(g), g.marks.length])).toEqual([
    [0.1, 'request', 1],
    [0.5, 'problem', 2],
  ])
})

test('a crowded group describes the own marks of the page and the most important ones, in order', () => {
  const mark = (kind: Mark['kind'], revision: number): Mark => ({ kind, at: revision, revision, what: 'created', by: '' })
  const marks = [mark('request', 1), mark('request', 2), mark('fault', 3), mark('request', 4), mark('problem', 5)]
  const told = (own: number, most: number) => describedOf({ place: 0, marks }, (m) => m.revision === own, most).map((m) => m.revision)
  expect(told(4, 3)).toEqual([3, 4, 5])
  expect(told(4, 1)).toEqual([4])
  expect(told(0, 2)).toEqual([3, 5])
  expect(told(0, 9)).toEqual([1, 2, 3, 4, 5])
})
