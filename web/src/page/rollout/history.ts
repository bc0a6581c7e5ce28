import { type Deployment, type ReplicaSet, revisionOf } from '../../api/workload'
import { type Bounds, boundsOf } from './bounds'
import type { Form, LogChange } from './change'

/** SetState is the state of a ReplicaSet at a moment. */
export interface SetState {
  readonly uid: string
  readonly name: string
  readonly revision: number
  /** The number of desired Pods. */
  readonly wanted: number
  /** How many of its Pods are available. */
  readonly available: number
}

/** Sample is the state of the Deployment or of one of its ReplicaSets after a change in the log. */
export interface Sample {
  readonly revision: number
  readonly at: number
  readonly uid: string
  /** A ReplicaSet; null if it was deleted. */
  readonly set?: SetState | null
  /** The Deployment. */
  readonly bounds?: Bounds
}

/** Frame is the state of the whole family after a change. */
export interface Frame {
  readonly revision: number
  readonly at: number
  /** In order of revision. Empty ReplicaSets are omitted. */
  readonly sets: readonly SetState[]
  readonly bounds: Bounds
  /** The number of desired Pods of all ReplicaSets: the upper bound applies to it. */
  readonly total: number
  /** How many of those are available: the lower bound applies to it. */
  readonly available: number
}

/** setState reads a ReplicaSet. */
export function setState(rs: ReplicaSet): SetState {
  return {
    uid: rs.metadata.uid,
    name: rs.metadata.name,
    revision: revisionOf(rs),
    wanted: rs.spec.replicas ?? 1,
    available: rs.status?.availableReplicas ?? 0,
  }
}

/** sampleOf reads a change of the log; undefined if the picture does not need it. */
export function sampleOf(c: LogChange): Sample | undefined {
  const common = { revision: c.revision, at: Date.parse(c.at), uid: c.uid }
  if (c.resource === 'replicasets.apps') {
    if (c.verb === 'deleted') return { ...common, set: null }
    return c.object && { ...common, set: setState(c.object as ReplicaSet) }
  }
  return c.object && c.verb !== 'deleted' ? { ...common, bounds: boundsOf((c.object as Deployment).spec) } : undefined
}

/** availableOf returns how many available Pods of a ReplicaSet are to stay. */
export const availableOf = (s: SetState): number => Math.min(s.available, s.wanted)

/** rolloutForm reads what the picture of a rollout needs from the log. */
export const rolloutForm: Form<Sample> = {
  sampleOf,
  numbers: [(s) => s.set?.wanted ?? 0, (s) => (s.set ? availableOf(s.set) : 0)],
}

/** Start is the state before the first sample: what has not changed since the log begins. */
export interface Start {
  readonly sets: readonly SetState[]
  readonly bounds: Bounds
}

/**
 * framesOf combines changes of several objects, in any order, into one history. It omits changes
 * that make no visible difference.
 */
export function framesOf(samples: readonly Sample[], start: Start): Frame[] {
  const sets = new Map(start.sets.map((s) => [s.uid, s]))
  let bounds = start.bounds
  const frames: Frame[] = []
  for (const s of samples.toSorted((a, b) => a.revision - b.revision)) {
    if (s.set) sets.set(s.uid, s.set)
    else if (s.set === null) sets.delete(s.uid)
    if (s.bounds) bounds = s.bounds
    const next = frame(s, [...sets.values()], bounds)
    const last = frames.at(-1)
    if (!last || different(last, next)) frames.push(next)
  }
  return frames
}

function frame({ revision, at }: Sample, all: SetState[], bounds: Bounds): Frame {
  const sets = all.filter((s) => s.wanted > 0 || s.available > 0).sort((a, b) => a.revision - b.revision || (a.uid < b.uid ? -1 : 1))
  const sum = (of: (s: SetState) => number) => sets.reduce((n, s) => n + of(s), 0)
  return { revision, at, sets, bounds, total: sum((s) => s.wanted), available: sum(availableOf) }
}

function different(a: Frame, b: Frame): boolean {
  if (a.bounds.most !== b.bounds.most || a.bounds.least !== b.bounds.least || a.bounds.replicas !== b.bounds.replicas) return true
  if (a.sets.length !== b.sets.length) return true
  return a.sets.some((s, i) => {
    const o = b.sets[i]
    return s.uid !== o?.uid || s.wanted !== o.wanted || s.available !== o.available || s.revision !== o.revision
  })
}

/** Judgement says whether the bounds held over some frames. */
export interface Judgement {
  readonly highest: number
  readonly most: number
  readonly exceeded: boolean
  /** The minimum of available Pods since there were enough; null if there never were. */
  readonly lowest: number | null
  readonly least: number
  readonly undercut: boolean
}

/**
 * judge checks whether the bounds held. A changed bound counts only after it has been met once: a
 * Deployment with more desired replicas needs time to create them.
 *
 * Source: kubernetes v1.36 test/utils/deployment.go, checkRollingUpdateStatus (what the two bounds are compared with)
 */
export function judge(frames: readonly Frame[]): Judgement {
  let [above, below] = [false, false] // whether a bound has been met since it was set
  let [highest, most, least, exceeded, undercut] = [0, 0, 0, false, false]
  let lowest: number | null = null
  frames.forEach((f, i) => {
    const before = frames[i - 1]
    if (before && f.bounds.most < before.bounds.most) above = false
    if (before && f.bounds.least > before.bounds.least) below = false
    above ||= f.total <= f.bounds.most
    below ||= f.available >= f.bounds.least
    if (above && f.total > f.bounds.most) exceeded = true
    if (below && f.available < f.bounds.least) undercut = true
    if (f.total >= highest) [highest, most] = [f.total, f.bounds.most]
    if (below && f.available <= (lowest ?? f.available)) [lowest, least] = [f.available, f.bounds.least]
    if (!below && lowest === null) least = f.bounds.least
  })
  return { highest, most, exceeded, lowest, least, undercut }
}

/** Episode is one rollout, from its first change to its last. */
export interface Episode {
  /** Indexes of frames; `last` is the newest frame while the rollout is in progress. */
  readonly first: number
  readonly last: number
  readonly ended: boolean
  /** The revision to which it leads. */
  readonly revision: number
}

const newest = (f: Frame): SetState | undefined => f.sets.at(-1)

/**
 * complete reports whether all replicas are of the newest revision and available, and no others are
 * left.
 */
function complete(f: Frame): boolean {
  const top = newest(f)
  if (!top) return f.bounds.replicas === 0
  return (
    top.wanted === f.bounds.replicas &&
    top.available >= top.wanted &&
    f.sets.every((s) => s === top || (s.wanted === 0 && s.available === 0))
  )
}

/**
 * episodesOf finds the rollouts in a history. A rollout begins when another ReplicaSet, or the same
 * one with a new revision, becomes the newest.
 */
export function episodesOf(frames: readonly Frame[]): Episode[] {
  const out: { first: number; last: number; ended: boolean; revision: number }[] = []
  let target = ''
  frames.forEach((f, i) => {
    const top = newest(f)
    const name = top ? `${top.uid} ${top.revision}` : target
    const current = out.at(-1)
    if (name !== target && top && top.revision > (current?.revision ?? -1)) {
      if (current && !current.ended) current.last = i
      // It starts with the state at the end of the previous one: old Pods may go before new ones
      // come.
      let first = Math.max(0, i - 1)
      while (first > (current?.last ?? 0) && !complete(frames[first] as Frame)) first--
      out.push({ first, last: i, ended: false, revision: top.revision })
      target = name
    }
    const now = out.at(-1)
    if (!now || now.ended) return
    now.last = i
    now.ended = complete(f)
  })
  return out
}

/**
 * latestOf returns the part of the history to show first: the last rollout, or, if it has ended and
 * something has happened since, the time since everything was last fine. undefined if there is no
 * rollout.
 */
export function latestOf(frames: readonly Frame[], rollouts: readonly Episode[]): Episode | undefined {
  const rollout = rollouts.at(-1)
  const last = frames.length - 1
  if (!rollout?.ended || rollout.last >= last) return rollout
  const ended = complete(frames[last] as Frame)
  let first = ended ? last - 1 : last
  while (first > rollout.last && !complete(frames[first] as Frame)) first--
  return { first, last, ended, revision: rollout.revision }
}

/**
 * framesIn returns the frames of an episode. The first one, which shows the state before, is moved
 * to shortly before the second: it may have lasted for days, and the rollout would be invisible
 * beside it.
 */
export function framesIn(frames: readonly Frame[], e: Episode): readonly Frame[] {
  const [before, ...rest] = frames.slice(e.first, e.last + 1)
  const [start, end] = [rest[0]?.at, rest.at(-1)?.at]
  if (!before || start === undefined || end === undefined) return frames.slice(e.first, e.last + 1)
  return [{ ...before, at: Math.max(before.at, start - (end - start) * 0.06) }, ...rest]
}

/**
 * thin drops samples that are too many to see. Of each stretch it keeps the first, the last and the
 * extremes of each number, so that a bound broken for an instant still shows.
 */
export function thin<T>(all: readonly T[], most: number, ...numbers: ((one: T) => number)[]): readonly T[] {
  if (all.length <= most) return all
  const kept = 2 + 2 * numbers.length
  const size = Math.ceil(all.length / Math.max(1, Math.floor(most / kept)))
  const out: T[] = []
  for (let from = 0; from < all.length; from += size) {
    const stretch = all.slice(from, from + size)
    const places = new Set([0, stretch.length - 1])
    for (const number of numbers) {
      const values = stretch.map(number)
      places.add(values.indexOf(Math.max(...values)))
      places.add(values.indexOf(Math.min(...values)))
    }
    for (const i of [...places].sort((a, b) => a - b)) out.push(stretch[i] as T)
  }
  return out
}
