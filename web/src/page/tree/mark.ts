import type { Row } from '../../api/form'
import type { Meta } from '../../api/object'
import type { State } from '../../ui/state'
import { stateOf } from '../../verdict/state'
import type { Kinship } from './kin'

/** Mark is a Pod in the picture. */
export interface Mark {
  readonly uid: string
  readonly meta: Meta
  readonly state: State
  /** As kubectl prints it: Running, CrashLoopBackOff. */
  readonly status: string
  readonly node: string
  readonly kinship: Kinship
}

/** printerOf returns a function that reads cells of rows by column name. */
export function printerOf(columns: readonly { readonly name: string }[]): (row: Row) => (column: string) => string {
  const places = new Map(columns.map((c, i) => [c.name, i]))
  return (row) => (column) => {
    const cell = row.cells[places.get(column) ?? -1]
    return cell === undefined || cell === null ? '' : String(cell)
  }
}

/** markOf converts a Pod's row to a mark. `now` is in milliseconds. */
export function markOf(row: Row, printed: (column: string) => string, kinship: Kinship, now: number): Mark {
  const node = printed('Node')
  return {
    uid: row.meta.uid,
    meta: row.meta,
    state: stateOf('pods', row.meta, printed, { now, printed: row.printed }) ?? 'wait',
    status: printed('Status'),
    node: node === '<none>' ? '' : node,
    kinship,
  }
}

/**
 * inOrder sorts marks by age, then by name, so that they stay in place while others come and go.
 */
export const inOrder = (a: Mark, b: Mark): number =>
  a.meta.creationTimestamp < b.meta.creationTimestamp
    ? -1
    : a.meta.creationTimestamp > b.meta.creationTimestamp
      ? 1
      : a.meta.name < b.meta.name
        ? -1
        : 1

/** countStates counts marks by state, the most frequent first. */
export function countStates(marks: readonly Mark[]): [State, number][] {
  const counts = new Map<State, number>()
  for (const m of marks) counts.set(m.state, (counts.get(m.state) ?? 0) + 1)
  return [...counts].sort((a, b) => b[1] - a[1])
}

/** cell is the size of a mark in a dense picture, with its gap. */
export const cell = 12

/**
 * small are the shapes of states in a dense picture, drawn from the upper left corner, ten wide.
 */
const small: Record<State, string> = {
  ok: 'm5 1a4 4 0 1 0 0 8 4 4 0 1 0 0-8z',
  busy: 'm5 1a4 4 0 1 1 0 8z m0 0a4 4 0 0 0 0 8v-1.4a2.6 2.6 0 0 1 0-5.2z',
  wait: 'm5 1a4 4 0 1 0 0 8 4 4 0 1 0 0-8zm0 1.6a2.4 2.4 0 1 1 0 4.8 2.4 2.4 0 0 1 0-4.8z',
  warn: 'm5 .6 4.4 8.2h-8.8z',
  bad: 'm1 2.2 1.2-1.2 2.8 2.8 2.8-2.8 1.2 1.2-2.8 2.8 2.8 2.8-1.2 1.2-2.8-2.8-2.8 2.8-1.2-1.2 2.8-2.8z',
  done: 'm4 8.6-3.4-3.4 1.2-1.2 2.2 2.2 4-4 1.2 1.2z',
  going: 'm5 .4 4.6 4.6-4.6 4.6-4.6-4.6zm0 2-2.6 2.6 2.6 2.6 2.6-2.6z',
  idle: 'm1 1h8v8h-8zm1.4 1.4v5.2h5.2v-5.2z',
}

/** Dense is a picture of many marks: one path per state, however many there are. */
export interface Dense {
  readonly paths: readonly (readonly [State, string])[]
  readonly columns: number
  readonly height: number
}

/**
 * densely draws marks row by row, in time proportional to their number: about a millisecond per
 * thousand.
 */
export function densely(marks: readonly Mark[], width: number): Dense {
  const columns = Math.max(1, Math.floor(width / cell))
  const paths = new Map<State, string[]>()
  marks.forEach((m, i) => {
    const path = paths.get(m.state) ?? []
    path.push(`M${(i % columns) * cell + 1} ${Math.floor(i / columns) * cell + 1}${small[m.state]}`)
    paths.set(m.state, path)
  })
  return {
    paths: [...paths].map(([state, path]) => [state, path.join('')]),
    columns,
    height: Math.ceil(marks.length / columns) * cell,
  }
}

/** failing reports whether any of the Pods is failing or has failed. */
export const failing = (marks: readonly Mark[]): boolean => marks.some((m) => m.state === 'warn' || m.state === 'bad')
