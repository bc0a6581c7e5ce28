import type { Form, Item, Page } from './feed'
import type { KubeObject, Meta } from './object'

/**
 * Column is a column of a table, as the server describes it. Columns of priority 0 are always
 * shown.
 */
export interface Column {
  readonly name: string
  readonly type: string
  readonly format: string
  readonly description: string
  readonly priority: number
}

export type Cell = string | number | boolean | null

/** Row is an object as the server prints it. */
export interface Row extends Item {
  readonly cells: readonly Cell[]
  /** The cluster time when it was printed, in milliseconds: some cells are durations up to then. */
  readonly printed: number
  /** The object itself, if requested. */
  readonly object?: KubeObject
}

interface TablePage extends Page {
  readonly columnDefinitions: readonly Column[] | null
  readonly rows: readonly { readonly cells: Cell[]; readonly object: { readonly metadata: Meta } }[] | null
}

/** lastApplied is kubectl's copy of a whole manifest, which tables do not need. */
const lastApplied = 'kubectl.kubernetes.io/last-applied-configuration'

/** slim drops large metadata that tables do not use. */
export function slim(m: Meta & { managedFields?: unknown }): Meta {
  const { managedFields: _, ...rest } = m
  if (rest.annotations?.[lastApplied] === undefined) return rest
  const { [lastApplied]: __, ...annotations } = rest.annotations
  return { ...rest, annotations }
}

/** known adds a substitute uid to objects without one, which are not stored. */
const known = (m: Meta): Meta => (m.uid ? m : { ...m, uid: `${m.namespace ?? ''}/${m.name}` })

/**
 * tableForm reads a collection as a table; `columns` is called with the columns, which come with
 * the first page. `now` is the cluster's clock, in milliseconds. `whole` keeps the objects, which
 * the source has to request.
 */
export function tableForm(columns: (all: readonly Column[]) => void, now: () => number, whole = false): Form<Row> {
  const row = (r: NonNullable<TablePage['rows']>[number]): Row => ({
    meta: known(slim(r.object.metadata)),
    cells: r.cells,
    printed: now(),
    ...(whole ? { object: r.object } : {}),
  })
  return {
    accept: 'application/json;as=Table;v=v1;g=meta.k8s.io',
    items(page) {
      const table = page as TablePage
      if (table.columnDefinitions) columns(table.columnDefinitions)
      return (table.rows ?? []).map(row)
    },
    item(object) {
      const table = object as TablePage
      if (table.columnDefinitions && table.columnDefinitions.length > 0) columns(table.columnDefinitions)
      const first = table.rows?.[0]
      return first && row(first)
    },
  }
}

/** Whole is an object in full. */
export interface Whole<O extends KubeObject = KubeObject> extends Item {
  readonly object: O
}

/**
 * wholeForm reads a collection as whole objects. Items of a LIST have neither kind nor apiVersion.
 */
export function wholeForm<O extends KubeObject>(): Form<Whole<O>> {
  const whole = (object: O): Whole<O> => ({ meta: known(object.metadata), object })
  return {
    accept: 'application/json',
    items: (page) => (page as Page & { items: O[] }).items.map(whole),
    item: (object) => whole(object as O),
  }
}
