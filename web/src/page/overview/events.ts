import type { Column, Row } from '../../api/form'
import { parseAge } from '../table/key'
import type { Problem } from './problem'

/** Happening is an Event as the overview shows it. */
export interface Happening {
  readonly uid: string
  readonly seen: number // the last time, in milliseconds
  readonly warning: boolean
  readonly reason: string
  readonly object: string // "pod/web-1"
  readonly namespace: string
  readonly message: string
}

const moments = new WeakMap<Row, number>()

/**
 * seenAt returns when an Event was last seen, in milliseconds. Rows are immutable, so it is cached.
 */
function seenAt(row: Row, place: number): number {
  let at = moments.get(row)
  if (at === undefined) {
    at = row.printed - (parseAge(String(row.cells[place] ?? '')) ?? 0)
    moments.set(row, at)
  }
  return at
}

/** happeningsOf reads the newest `most` Events from the rows of their table, newest first. */
export function happeningsOf(rows: Iterable<Row>, columns: readonly Column[], most: number): Happening[] {
  const at = (name: string) => columns.findIndex((c) => c.name === name)
  const [seen, type, reason, object, message] = [at('Last Seen'), at('Type'), at('Reason'), at('Object'), at('Message')]
  const cell = (row: Row, i: number) => String(row.cells[i] ?? '')
  return [...rows]
    .map((row) => ({ row, seen: seenAt(row, seen) }))
    .sort((a, b) => b.seen - a.seen || (a.row.meta.uid < b.row.meta.uid ? -1 : 1))
    .slice(0, most)
    .map(({ row, seen: when }) => ({
      uid: row.meta.uid,
      seen: when,
      warning: cell(row, type) !== 'Normal',
      reason: cell(row, reason),
      object: cell(row, object),
      namespace: row.meta.namespace ?? '',
      message: cell(row, message).slice(0, 400),
    }))
}

/**
 * refusalsIn finds why the Pods of workloads could not be created, keyed by workload: "shop
 * statefulset/db".
 */
export function refusalsIn(all: readonly Happening[]): Map<string, string> {
  const out = new Map<string, string>()
  for (const h of all) {
    const key = `${h.namespace} ${h.object}`
    if (h.reason === 'FailedCreate' && !out.has(key)) out.set(key, h.message)
  }
  return out
}

/** missed are the reasons of Events about missed runs of a CronJob. */
const missed = ['MissSchedule', 'TooManyMissedTimes']

/** judgeEvents finds problems that only Events show: missed runs of CronJobs. */
export function judgeEvents(all: readonly Happening[]): Problem[] {
  return all
    .filter((h) => missed.includes(h.reason) && h.object.startsWith('cronjob/'))
    .map((h) => ({
      id: `${h.namespace}/${h.object}/missed`,
      state: 'warn',
      why: 'missed',
      reason: h.reason,
      message: h.message,
      about: { resource: 'cronjobs.batch', kind: 'CronJob', namespace: h.namespace, name: h.object.slice('cronjob/'.length) },
      since: h.seen,
      count: 1,
    }))
}
