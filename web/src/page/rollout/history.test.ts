import { expect, test } from 'vitest'
import { episodesOf, type Frame, framesIn, framesOf, judge, latestOf, type Sample, sampleOf, thin } from './history'

const bounds = (replicas: number, most: number, least: number) => ({ replicas, most, least })
const set = (revision: number, at: number, of: number, wanted: number, available: number): Sample => ({
  revision,
  at,
  uid: `rs${of}`,
  set: { uid: `rs${of}`, name: `web-${of}`, revision: of, wanted, available },
})
const start = { sets: [], bounds: bounds(4, 5, 3) }

/** A rollout from revision 1 to 2, out of order, with a change that shows nothing. */
const rollout: Sample[] = [
  set(12, 20, 2, 1, 0),
  set(10, 10, 1, 4, 4),
  set(13, 20, 1, 3, 4),
  set(14, 25, 1, 3, 3),
  set(15, 30, 2, 1, 1),
  set(16, 30, 2, 2, 1),
  set(17, 40, 2, 4, 4),
  set(18, 40, 1, 0, 0),
  set(19, 41, 1, 0, 0),
]

test('framesOf puts the changes of several objects in order', () => {
  const frames = framesOf(rollout, start)
  expect(frames.map((f) => [f.revision, f.total, f.available])).toEqual([
    [10, 4, 4],
    [12, 5, 4],
    [13, 4, 3], // the fourth is available but about to be removed
    [14, 4, 3],
    [15, 4, 4],
    [16, 5, 4],
    [17, 7, 7],
    [18, 4, 4],
  ])
})

test('framesOf begins with what has not changed since', () => {
  const old = { uid: 'rs1', name: 'web-1', revision: 1, wanted: 4, available: 4 }
  const [first] = framesOf([set(12, 20, 2, 1, 0)], { sets: [old], bounds: bounds(4, 5, 3) })
  expect(first?.sets.map((s) => s.name)).toEqual(['web-1', 'web-2'])
  const gone = framesOf([set(12, 20, 2, 1, 0), { revision: 13, at: 21, uid: 'rs1', set: null }], { sets: [old], bounds: bounds(4, 5, 3) })
  expect(gone.at(-1)?.sets.map((s) => s.name)).toEqual(['web-2'])
})

test('episodesOf finds the rollouts', () => {
  expect(episodesOf(framesOf(rollout, start))).toEqual([
    { first: 0, last: 0, ended: true, revision: 1 },
    { first: 0, last: 7, ended: true, revision: 2 },
  ])
  expect(episodesOf(framesOf(rollout.slice(0, 5), start)).at(-1)).toMatchObject({ revision: 2, ended: false })
  expect(episodesOf([])).toEqual([])
})

test('what has happened since the last rollout is shown first, from when all was well', () => {
  const later = (...more: Sample[]) => framesOf([...rollout, ...more], start)
  const quiet = later()
  expect(latestOf(quiet, episodesOf(quiet))).toEqual({ first: 0, last: 7, ended: true, revision: 2 })
  // The Deployment is scaled, and not all its Pods are created.
  const scaled: Sample = { revision: 30, at: 500, uid: 'd', bounds: bounds(9, 12, 7) }
  const short = later(scaled, set(31, 501, 2, 9, 4))
  expect(latestOf(short, episodesOf(short))).toEqual({ first: 7, last: 9, ended: false, revision: 2 })
  const full = later(scaled, set(31, 501, 2, 9, 4), set(32, 600, 2, 9, 9))
  expect(latestOf(full, episodesOf(full))).toEqual({ first: 7, last: 10, ended: true, revision: 2 })
  // Later all of them crash.
  const crashed = later(scaled, set(31, 501, 2, 9, 4), set(32, 600, 2, 9, 9), set(33, 900, 2, 9, 0))
  expect(latestOf(crashed, episodesOf(crashed))).toEqual({ first: 10, last: 11, ended: false, revision: 2 })
  expect(judge(crashed.slice(10))).toMatchObject({ lowest: 0, least: 7, undercut: true })
  expect(latestOf([], [])).toBeUndefined()
})

test('a rollout begins where the one before had ended', () => {
  const early = [set(10, 10, 1, 4, 4), set(11, 20, 1, 3, 4), set(12, 20, 2, 1, 0), set(13, 30, 2, 2, 0)]
  const frames = framesOf(early, start)
  const episode = episodesOf(frames).at(-1)
  expect(episode).toEqual({ first: 0, last: 3, ended: false, revision: 2 })
  if (episode) expect(framesIn(frames, episode).map((f) => f.at)).toEqual([19.4, 20, 20, 30])
})

const frame = (total: number, available: number, b = bounds(4, 5, 3)): Frame => ({
  revision: 1,
  at: 0,
  sets: [],
  bounds: b,
  total,
  available,
})

test.each([
  ['both held', [frame(4, 4), frame(5, 4), frame(4, 3)], { highest: 5, exceeded: false, lowest: 3, undercut: false }],
  ['too many', [frame(4, 4), frame(6, 4)], { highest: 6, exceeded: true }],
  ['too few', [frame(4, 4), frame(4, 2)], { lowest: 2, undercut: true }],
  ['not enough yet', [frame(4, 0), frame(4, 2)], { lowest: null, undercut: false }],
  ['more are wanted', [frame(4, 4), frame(8, 4, bounds(8, 10, 6))], { lowest: 4, undercut: false }],
  ['fewer are wanted', [frame(8, 8, bounds(8, 10, 6)), frame(8, 8, bounds(2, 3, 1)), frame(2, 2, bounds(2, 3, 1))], { exceeded: false }],
  ['too many after that', [frame(8, 8, bounds(8, 10, 6)), frame(2, 2, bounds(2, 3, 1)), frame(4, 2, bounds(2, 3, 1))], { exceeded: true }],
])('judge: %s', (_, frames, want) => {
  expect(judge(frames)).toMatchObject(want)
})

test('sampleOf reads the log', () => {
  const change = { revision: 5, at: '2026-01-01T00:00:01.5Z', uid: 'u', verb: 'updated', resource: 'replicasets.apps' } as const
  const object = {
    metadata: {
      name: 'a',
      uid: 'u',
      resourceVersion: '5',
      creationTimestamp: '',
      annotations: { 'deployment.kubernetes.io/revision': '7' },
    },
    spec: { replicas: 3 },
    status: { replicas: 3 },
  }
  expect(sampleOf({ ...change, object })).toEqual({
    revision: 5,
    at: Date.UTC(2026, 0, 1, 0, 0, 1, 500),
    uid: 'u',
    set: { uid: 'u', name: 'a', revision: 7, wanted: 3, available: 0 },
  })
  expect(sampleOf({ ...change, verb: 'deleted' })).toMatchObject({ set: null })
  expect(sampleOf(change)).toBeUndefined()
})

test('thin keeps the ends and what stands out', () => {
  const all = Array.from({ length: 10_000 }, (_, i) => ({ i, n: i === 7321 ? 99 : i === 123 ? -99 : i % 3 }))
  const some = thin(all, 200, (one) => one.n)
  expect(some.length).toBeLessThanOrEqual(200)
  expect(some.map((one) => one.n)).toEqual(expect.arrayContaining([99, -99]))
  expect([some[0]?.i, some.at(-1)?.i]).toEqual([0, 9999])
  expect(some.map((one) => one.i)).toEqual(some.map((one) => one.i).toSorted((a, b) => a - b))
  expect(thin(all.slice(0, 5), 200, (one) => one.n)).toHaveLength(5)
})
