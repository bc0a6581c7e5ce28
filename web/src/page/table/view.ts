import { useEffect, useMemo, useReducer, useRef } from 'preact/hooks'
import type { Column, Row } from '../../api/form'
import type { Query } from '../../route'
import { Arranger, type Wanted } from './arrange'
import type { Chosen } from './chosen'
import { matchesText, type Shown, shownColumns, sortKey, tieOf, widths } from './column'

/**
 * pause is how long the order of rows stays unchanged at least, in milliseconds. Cells change at
 * once.
 */
const pause = 250

/** Ordered holds a table's columns and rows in the order in which they are shown. */
export interface Ordered {
  readonly columns: readonly Shown[]
  readonly widths: readonly number[]
  readonly rows: readonly Row[]
}

/** sorting returns the sort column and direction; Events are sorted by when they were last seen. */
export function sorting(query: Query, resource: string): { by: string; descending: boolean } {
  const otherwise = /^events(\.|$)/.test(resource) ? 'Last Seen' : ''
  return { by: query.sort ?? otherwise, descending: query.desc === '1' }
}

/**
 * nextSorting returns the change of the address for a click on a column's title: ascending,
 * descending, default.
 */
export function nextSorting(query: Query, resource: string, column: string): Query {
  const now = sorting(query, resource)
  if (now.by !== column) return { sort: column, desc: '' }
  return now.descending ? { sort: '', desc: '' } : { sort: column, desc: '1' }
}

/** allOf chooses every column: hidden columns can be sorted by too. */
const allOf = (defined: readonly Column[]): Chosen => Object.fromEntries(defined.map((c) => [c.name, true]))

function wantedOf(columns: readonly Shown[], all: readonly Shown[], query: Query, resource: string): Wanted {
  const { by, descending } = sorting(query, resource)
  const column = columns.find((c) => c.name === by) ?? all.find((c) => c.name === by)
  return { matches: matchesText(query.q ?? ''), key: column ? (row) => sortKey(row, column) : () => 0, tie: tieOf, descending }
}

/** Arranging is the input of useOrdered: `changed` increases with every change of the items. */
interface Arranging {
  readonly resource: string
  readonly namespaced: boolean
  readonly defined: readonly Column[]
  readonly items: ReadonlyMap<string, Row>
  readonly changed: number
  readonly query: Query
  readonly chosen: Chosen
}

/**
 * useOrdered filters and sorts rows: at once when the user asks for another order, otherwise no
 * more often than one can read.
 */
export function useOrdered(of: Arranging): Ordered {
  const { resource, namespaced, defined, items, query, chosen } = of
  const [, again] = useReducer((n: number) => n + 1, 0)
  const kept = useRef({ arranger: new Arranger(), resource: '', at: 0, widths: [] as number[], columns: [] as Shown[] })
  const columns = useMemo(
    () => shownColumns(defined, { resource, chosen, namespace: namespaced && !query.ns }),
    [defined, resource, namespaced, chosen, query.ns],
  )
  const wanted = useMemo(
    () => wantedOf(columns, shownColumns(defined, { resource, chosen: allOf(defined), namespace: namespaced }), query, resource),
    [columns, query.q, query.sort, query.desc, resource],
  )
  const last = useRef<Wanted | null>(null)
  const k = kept.current
  const now = performance.now()
  const wait = last.current === wanted && k.arranger.rows.length > 0 ? k.at + pause - now : 0
  if (wait <= 0) {
    last.current = wanted
    k.at = now
    const rows = k.arranger.update(items, wanted)
    const same = k.columns === columns && k.resource === resource
    k.widths = widths(columns, rows, same ? k.widths : [])
    k.columns = columns
    k.resource = resource
  }
  useEffect(() => {
    if (wait <= 0) return
    const timer = setTimeout(again, wait, null)
    return () => clearTimeout(timer)
  }, [of.changed])
  return { columns, widths: k.widths, rows: k.arranger.rows }
}
