import type { Column, Row } from '../../api/form'
import { naturalKey, parseAge } from '../table/key'
import type { Problem } from './problem'

/** Happening is an Event as the overview shows it. */
export interface Happening {
  readonly uid: string
  readonly seen: number // when last, in milliseconds
  readonly warning: boolean
  readonly reason: string
  readonly object: string // "pod/web-1"
  readonly namespace: string
  readonly message: string
}

/** happeningsOf reads Events from the rows of their table, the newest `most` first. */
export function happeningsOf(rows: Iterable<Row>, columns: readonly Column[], most: number): Happening[] {
  const at = (name: string) => columns.findIndex((c) => c.name === name)
  const [seen, type, reason, object, message] = [at('Last Seen'), at('Type'), at('Reason'), at('Object'), at('Message')]
  const cell = (row: Row, i: number) => String(row.cells[i] ?? '')
  return [...rows]
    .map((row) => ({ row, seen: row.printed - (parseAge(cell(row, seen)) ?? 0) }))
    .sort((a, b) => b.seen - a.seen || (naturalKey(a.row.meta.name) < naturalKey(b.row.meta.name) ? -1 : 1))
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

/** missed are the reasons of Events by which a CronJob tells that it did not run when it should have. */
const missed = ['MissSchedule', 'TooManyMissedTimes']

/** judgeEvents finds what only Events tell: CronJobs that have missed runs. */
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
