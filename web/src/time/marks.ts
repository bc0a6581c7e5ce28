import type { Change } from './log'

/** MarkKind is what a mark on the timeline is about, the most important first: it is drawn where several share a place. */
export type MarkKind = 'problem' | 'fault' | 'rollout' | 'clock' | 'request'

/** Mark is a notable moment on the line. */
export interface Mark {
  readonly kind: MarkKind
  readonly at: number
  /** Undefined where only the time is known. */
  readonly revision?: number
  /** What happened: a verb of the log, a problem's reason, or that it ended. */
  readonly what: 'created' | 'updated' | 'deleted' | 'began' | 'ended' | 'advanced'
  readonly object?: { readonly kind: string; readonly namespace: string; readonly name: string }
  /** Who did it, or why it is. */
  readonly by: string
  /** How often, for problems. */
  readonly count?: number
}

/** quiet are kinds that clients write all the time without meaning anything by it. */
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

/** Warning is what is read of an Event. */
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

/** over is after how long, in milliseconds, without another sign a problem is taken to have ended: back-offs are five minutes at most. */
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

/** Group is marks that are at about one place of the line. */
export interface Group {
  readonly place: number
  readonly marks: readonly Mark[]
}

const rank: Readonly<Record<MarkKind, number>> = { problem: 0, fault: 1, rollout: 2, clock: 3, request: 4 }

/** kindOf is what a group is drawn as. */
export const kindOf = (g: Group): MarkKind =>
  g.marks.reduce((best, m) => (rank[m.kind] < rank[best.kind] ? m : best), g.marks[0] as Mark).kind

/** groupsOf puts marks together that are nearer to each other than `near`, in the order of their places; those without a place are left out. */
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
