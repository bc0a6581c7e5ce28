import type { Change } from './log'

/**
 * MarkKind is the kind of a mark on the timeline, most important first: a group is drawn as its
 * most important mark.
 */
export type MarkKind = 'problem' | 'fault' | 'rollout' | 'clock' | 'request'

/** Mark is a notable moment on the timeline. */
export interface Mark {
  readonly kind: MarkKind
  readonly at: number
  /** Undefined if only the time is known. */
  readonly revision?: number
  /** What happened: a verb of the log, or that a problem began or ended. */
  readonly what: 'created' | 'updated' | 'deleted' | 'began' | 'ended' | 'advanced'
  readonly object?: { readonly kind: string; readonly namespace: string; readonly name: string }
  /** Who did it, or the reason. */
  readonly by: string
  /** How often, for problems. */
  readonly count?: number
}

/** quiet are kinds that clients write all the time, which is not notable. */
const quiet: ReadonlySet<string> = new Set(['events', 'events.events.k8s.io', 'leases.coordination.k8s.io'])

/** faults is the kind of injected faults. Source: internal/fault, Resource */
export const faults = 'faults.rowlock.io'

/** revisionKinds are the kinds whose new objects are new revisions of a workload. */
export const revisionKinds = ['replicasets.apps', 'controllerrevisions.apps'] as const

/**
 * markOf returns the mark for a change of the log; null for most changes. `who` returns the author
 * of a change.
 */
export function markOf(c: Change, who: (c: Change) => string): Mark | null {
  const object = { kind: c.kind, namespace: c.namespace ?? '', name: c.name }
  const mark = { at: Date.parse(c.at), revision: c.revision, what: c.verb, object, by: who(c) }
  if (c.resource === faults) return c.verb === 'updated' ? null : { ...mark, kind: 'fault' }
  if (c.writer.controller) {
    const revision = (revisionKinds as readonly string[]).includes(c.resource)
    return revision && c.verb === 'created' ? { ...mark, kind: 'rollout' } : null
  }
  return (c.cause ?? 0) !== 0 || quiet.has(c.resource) ? null : { ...mark, kind: 'request' }
}

/** Warning holds the fields of an Event that are read here. */
export interface Warning {
  readonly metadata: { readonly creationTimestamp: string; readonly namespace?: string }
  readonly reason?: string
  readonly firstTimestamp?: string | null
  readonly lastTimestamp?: string | null
  readonly eventTime?: string | null
  readonly count?: number
  readonly series?: { readonly count?: number; readonly lastObservedTime?: string } | null
  readonly involvedObject?: { readonly kind?: string; readonly namespace?: string; readonly name?: string }
}

/**
 * over is how long, in milliseconds, a problem must not be reported to count as ended: back-offs
 * are five minutes at most.
 */
const over = 6 * 60_000

/**
 * marksOfWarning returns marks at the start of a problem and, if it has not been reported since, at
 * the last report.
 */
export function marksOfWarning(e: Warning, now: number): Mark[] {
  const first = Date.parse(e.firstTimestamp ?? e.eventTime ?? e.metadata.creationTimestamp)
  const last = Date.parse(e.series?.lastObservedTime ?? e.lastTimestamp ?? e.eventTime ?? e.metadata.creationTimestamp)
  if (Number.isNaN(first)) return []
  const object = { kind: e.involvedObject?.kind ?? '', namespace: e.involvedObject?.namespace ?? '', name: e.involvedObject?.name ?? '' }
  const mark = { kind: 'problem' as const, object, by: e.reason ?? '', count: e.series?.count ?? e.count ?? 1 }
  const began: Mark = { ...mark, at: first, what: 'began' }
  return last > first && now - last > over ? [began, { ...mark, at: last, what: 'ended' }] : [began]
}

/** Group holds marks at about the same place of the line. */
export interface Group {
  readonly place: number
  readonly marks: readonly Mark[]
}

const rank: Readonly<Record<MarkKind, number>> = { problem: 0, fault: 1, rollout: 2, clock: 3, request: 4 }

/** kindOf returns the kind that a group is drawn as. */
export const kindOf = (g: Group): MarkKind =>
  g.marks.reduce((best, m) => (rank[m.kind] < rank[best.kind] ? m : best), g.marks[0] as Mark).kind

/**
 * groupsOf groups marks that are closer together than `near`, in order of their places. It omits
 * marks without a place.
 */
export function groupsOf(marks: readonly Mark[], placeOf: (m: Mark) => number | null, near: number): Group[] {
  const placed = marks.flatMap((mark) => {
    const place = placeOf(mark)
    return place === null ? [] : [{ mark, place }]
  })
  placed.sort((a, b) => a.place - b.place)
  const groups: { place: number; marks: Mark[] }[] = []
  for (const { mark, place } of placed) {
    const last = groups.at(-1)
    if (last && place - last.place < near) last.marks.push(mark)
    else groups.push({ place, marks: [mark] })
  }
  return groups
}

/**
 * describedOf returns the marks of a group that are described, at most `most`, in the order of the
 * group: those of the page's own object before others, then the most important ones.
 */
export function describedOf(g: Group, own: (m: Mark) => boolean, most: number): readonly Mark[] {
  const order = (m: Mark) => (own(m) ? -1 : rank[m.kind])
  const chosen = new Set([...g.marks].sort((a, b) => order(a) - order(b)).slice(0, most))
  return g.marks.filter((m) => chosen.has(m))
}
