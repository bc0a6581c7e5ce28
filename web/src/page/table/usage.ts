import { useEffect, useMemo } from 'preact/hooks'
import { accessTo, askAccess, may } from '../../act/may'
import type { Column, Row } from '../../api/form'
import { type Resource, resources } from '../../api/resource'
import { useTable } from '../../api/use'
import { at } from '../../route'
import { amountText } from '../../ui/amount'
import { usageColumns } from './column'
import { parseQuantity } from './key'

/**
 * mostMeasured is the maximum number of rows for which usage is read, because the server computes
 * it each time.
 */
const mostMeasured = 1000

/** measured maps kinds to their kinds in the metrics API. */
const measured: Readonly<Record<string, string>> = { pods: 'pods.metrics.k8s.io', nodes: 'nodes.metrics.k8s.io' }

interface Rows {
  readonly items: ReadonlyMap<string, Row>
  readonly columns: readonly Column[]
  readonly changed: number
  readonly remaining: number
}

/**
 * useUsage adds CPU and memory usage to the rows of Pods and nodes, as `kubectl top` prints it.
 * Rows stay as they are if the metrics API is not served or not allowed, in the past, and in tables
 * of more than 1,000 rows.
 */
export function useUsage(resource: Resource, table: Rows, of: { namespace: string | undefined; labels: string }): Omit<Rows, 'remaining'> {
  const metrics = resources.value.get(measured[resource.id] ?? '')
  const fits = metrics !== undefined && at.value === null && table.items.size + table.remaining <= mostMeasured
  const needs = metrics && fits ? [accessTo('list', metrics, of.namespace)] : []
  useEffect(() => void askAccess(needs), [JSON.stringify(needs)])
  const reads = metrics && needs.length > 0 && may(needs) === true
  const usage = useTable(reads && table.items.size > 0 ? { resource: metrics, namespace: of.namespace, labels: of.labels } : null)
  const added = reads === true && !usage.error
  const columns = useMemo(
    () => (added && table.columns.length > 0 ? [...table.columns, ...usageColumns] : table.columns),
    [added, table.columns],
  )
  const changed = table.changed + usage.changed
  const items = useMemo(
    () => (added ? joinUsage(table.items, usage.items, usage.columns) : table.items),
    [added, table.items, usage.items, usage.columns, changed],
  )
  return { items, columns, changed }
}

/** joins caches rows with their usage, so that an unchanged row keeps its identity. */
const joins = new WeakMap<Row, { readonly by: Row | undefined; readonly row: Row }>()

/** joinUsage adds the cells of usageColumns to rows; they are empty if nothing was measured. */
export function joinUsage(
  rows: ReadonlyMap<string, Row>,
  usage: ReadonlyMap<string, Row>,
  columns: readonly Column[],
): ReadonlyMap<string, Row> {
  const cpu = columns.findIndex((c) => c.name === 'cpu')
  const memory = columns.findIndex((c) => c.name === 'memory')
  const out = new Map<string, Row>()
  for (const [uid, row] of rows) {
    const by = usage.get(`${row.meta.namespace ?? ''}/${row.meta.name}`)
    let join = joins.get(row)
    if (!join || join.by !== by) {
      join = { by, row: { ...row, cells: [...row.cells, amount(by, cpu, 'cpu'), amount(by, memory, 'memory')] } }
      joins.set(row, join)
    }
    out.set(uid, join.row)
  }
  return out
}

function amount(by: Row | undefined, cell: number, resource: string): string | null {
  const n = parseQuantity(String(by?.cells[cell] ?? ''))
  return n === null ? null : amountText(n, resource)
}
