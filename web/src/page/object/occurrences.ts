import type { KubeObject } from '../../api/object'

/** Event holds the fields of a core/v1 Event that are read here. */
export interface Event extends KubeObject {
  readonly type?: string
  readonly reason?: string
  readonly message?: string
  readonly count?: number
  readonly firstTimestamp?: string | null
  readonly lastTimestamp?: string | null
  readonly eventTime?: string | null
  readonly series?: { readonly count?: number; readonly lastObservedTime?: string }
  readonly source?: { readonly component?: string }
  readonly reportingComponent?: string
}

/** Occurrence combines Events with the same message about an object. */
export interface Occurrence {
  readonly id: string
  readonly warning: boolean
  readonly reason: string
  readonly message: string
  readonly source: string
  readonly count: number
  /** First and last time, in milliseconds; 0 if unknown. */
  readonly first: number
  readonly last: number
}

const time = (...texts: (string | null | undefined)[]): number => {
  for (const text of texts) {
    const ms = Date.parse(text ?? '')
    if (!Number.isNaN(ms)) return ms
  }
  return 0
}

const uid = /\([0-9a-f]{8}-[0-9a-f-]{27}\)/g

/**
 * plainMessage removes the uids that the kubelet puts after the names of Pods, which mean nothing
 * to people.
 */
export const plainMessage = (text: string): string => text.replace(uid, '')

/** occurrencesOf combines Events with the same message, newest first. */
export function occurrencesOf(all: Iterable<Event>): Occurrence[] {
  const found = new Map<string, Occurrence>()
  for (const e of all) {
    const message = plainMessage(e.message ?? '')
    const id = [e.type, e.reason, message].join('\n')
    const one = occurrence(e, id, message)
    const old = found.get(id)
    found.set(
      id,
      old ? { ...one, count: old.count + one.count, first: Math.min(old.first, one.first), last: Math.max(old.last, one.last) } : one,
    )
  }
  return [...found.values()].sort((a, b) => b.last - a.last || (a.id < b.id ? -1 : 1))
}

const occurrence = (e: Event, id: string, message: string): Occurrence => ({
  id,
  warning: e.type !== undefined && e.type !== 'Normal',
  reason: e.reason ?? '',
  message,
  source: e.source?.component || e.reportingComponent || '',
  count: e.series?.count ?? e.count ?? 1,
  first: time(e.firstTimestamp, e.eventTime, e.metadata.creationTimestamp),
  last: time(e.series?.lastObservedTime, e.lastTimestamp, e.eventTime, e.metadata.creationTimestamp),
})
