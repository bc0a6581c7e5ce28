import type { Cell, Column, Row } from '../../api/form'
import type { Chosen } from './chosen'
import { type Key, keyOf, naturalKey, parseAge } from './key'

/**
 * Shown is a column on the page. `part` is the kind of its cells: the name, which is a link; the
 * namespace; the age, which counts; `ago`, another duration that counts; another object or a node,
 * which are links; the message of an Event, which links to the Event; ports, which link to the page
 * that opens them; the state; the usage; or what the server prints.
 */
export interface Shown {
  readonly name: string
  readonly about: string
  readonly part: 'name' | 'namespace' | 'age' | 'ago' | 'object' | 'node' | 'message' | 'ports' | 'state' | 'usage' | 'plain'
  readonly index: number // the cell's index; -1 for the namespace
  readonly format: string
  /** Whether its cells are numbers, which are right-aligned. */
  readonly numeric: boolean
}

const spans = ['Last Seen', 'First Seen', 'Last Schedule']

function partOf(c: Column, resource: string): Shown['part'] {
  if (c.name === 'Age') return 'age'
  if (spans.includes(c.name)) return 'ago'
  if (c.name === 'Object' && /^events(\.|$)/.test(resource)) return 'object'
  if (c.name === 'Message' && /^events(\.|$)/.test(resource)) return 'message'
  if (c.name === 'Node' && resource === 'pods') return 'node'
  if (c.name === 'Status' || (c.name === 'Type' && /^events(\.|$)/.test(resource))) return 'state'
  if (usageColumns.includes(c)) return 'usage'
  if (c.name === 'Port(s)' && resource === 'services') return 'ports'
  return c.format === 'name' && c.name === 'Name' ? 'name' : 'plain'
}

/** usageColumns are added to tables of Pods and nodes from the metrics API, before the age. */
export const usageColumns: readonly Column[] = ['CPU', 'Memory'].map((name) => ({
  name,
  type: 'number',
  format: 'quantity',
  description: '',
  priority: 0,
}))

/** namespaceColumn is shown when the table shows all namespaces. */
const namespaceColumn: Shown = { name: 'Namespace', about: '', part: 'namespace', index: -1, format: 'name', numeric: false }

/**
 * isShown reports whether a column is shown: by the user's choice, or by default those that kubectl
 * prints without -o wide.
 */
export function isShown(c: Column, index: number, chosen: Chosen): boolean {
  return index === 0 || (chosen[c.name] ?? c.priority === 0)
}

/** beforeAge moves the usage columns to before the age. */
function beforeAge(all: readonly (readonly [Column, number])[]): (readonly [Column, number])[] {
  const usage = all.filter(([c]) => usageColumns.includes(c))
  const others = all.filter(([c]) => !usageColumns.includes(c))
  const age = others.findIndex(([c]) => c.name === 'Age')
  return age < 0 ? [...others, ...usage] : [...others.slice(0, age), ...usage, ...others.slice(age)]
}

/**
 * shownColumns returns the columns of a table: the chosen ones, with the namespace after the first
 * if wanted.
 */
export function shownColumns(all: readonly Column[], of: { resource: string; chosen: Chosen; namespace: boolean }): Shown[] {
  const shown = beforeAge(all.map((c, index) => [c, index] as const))
    .filter(([c, index]) => isShown(c, index, of.chosen))
    .map(
      ([c, index]): Shown => ({
        name: c.name,
        about: c.description,
        part: partOf(c, of.resource),
        index,
        format: c.format,
        numeric: c.type === 'integer' || c.type === 'number',
      }),
    )
  const [first, ...rest] = shown
  return first ? [first, ...(of.namespace ? [namespaceColumn] : []), ...rest] : []
}

/**
 * forNarrow returns the columns of a table in which not all fit, with their widths in characters:
 * after the name those that show the state, and the namespace last.
 */
export function forNarrow(columns: readonly Shown[], widths: readonly number[], name: number, cell: number): [Shown[], number[]] {
  const rank = (c: Shown, i: number) => (i === 0 ? 0 : c.part === 'state' ? 1 : c.part === 'namespace' ? 3 : 2)
  const order = columns.map((c, i) => ({ c, i, rank: rank(c, i) })).sort((a, b) => a.rank - b.rank || a.i - b.i)
  return [order.map((o) => o.c), order.map((o) => Math.min(widths[o.i] ?? 0, o.i === 0 ? name : cell))]
}

/** cellOf returns the cell of a row in a column. */
export function cellOf(row: Row, c: Shown): Cell {
  return c.part === 'namespace' ? (row.meta.namespace ?? '') : (row.cells[c.index] ?? null)
}

/** longest is how many characters of a cell are shown. */
const longest = 400

/**
 * isNumeric reports whether a column is numeric: by its type, or by its first cell if the server
 * prints numbers as strings.
 */
export function isNumeric(c: Shown, first: Row | undefined): boolean {
  if (c.numeric) return true
  return c.part === 'plain' && c.name !== 'Restarts' && first !== undefined && /^\d+$/.test(textOf(cellOf(first, c)))
}

/** textOf formats a cell without special treatment. */
export function textOf(cell: Cell): string {
  const text = cell === null ? '' : String(cell)
  return text.length > longest ? `${text.slice(0, longest)}…` : text
}

/**
 * sortKey returns the sort key of a row for a column. Durations up to now sort by their start,
 * which does not change.
 */
export function sortKey(row: Row, c: Shown): Key {
  if (c.part === 'age') return -Date.parse(row.meta.creationTimestamp)
  const cell = cellOf(row, c)
  if (c.part !== 'ago') return keyOf(cell, c.format)
  const span = typeof cell === 'string' ? parseAge(cell) : null
  return span === null ? keyOf(null) : span - row.printed
}

/**
 * tieOf orders rows with equal keys by namespace and name, as the server does, but with numbers as
 * numbers.
 */
export function tieOf(row: Row): string {
  return `${row.meta.namespace ?? ''}\0${naturalKey(row.meta.name)}`
}

const texts = new WeakMap<Row, string>()

/** searched returns the text that the search matches: name, namespace and cells, in lower case. */
export function searched(row: Row): string {
  let text = texts.get(row)
  if (text === undefined) {
    text = [row.meta.namespace ?? '', row.meta.name, ...row.cells.map(textOf)].join('\n').toLowerCase()
    texts.set(row, text)
  }
  return text
}

/** matchesText returns whether a row contains all words of a search. */
export function matchesText(query: string): (row: Row) => boolean {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean)
  return (row) => words.every((w) => searched(row).includes(w))
}

/**
 * leastLast is the minimum width of a last column without room for its messages, in characters;
 * they are then cut off.
 */
const leastLast = 40

/**
 * tracks returns the columns of the grid for widths in characters, and their minimum total width.
 */
export function tracks(widths: readonly number[]): { template: string; least: number } {
  const least = widths.map((w, i) => (i === widths.length - 1 ? Math.min(w, leastLast) : w))
  return { template: widths.map((w, i) => `minmax(${least[i]}ch, ${w}fr)`).join(' '), least: least.reduce((sum, w) => sum + w, 0) }
}

const narrowest = 5
/** margin is the space on both sides of a text. */
const margin = 2
/** chipMargin is the additional space around the text of a chip. */
const chipMargin = 2
const widest = 44
/**
 * widestLast is the maximum width of the last column, which takes the rest of the table, so that a
 * whole message fits.
 */
const widestLast = 90

/**
 * widths returns the widths of columns in characters: the widest of their cells, within bounds.
 * They never become smaller than `before`, so that a table does not jitter while rows arrive.
 */
export function widths(columns: readonly Shown[], rows: readonly Row[], before: readonly number[] = []): number[] {
  return columns.map((c, i) => {
    let most = Math.max(narrowest, c.name.length + 3 + margin, before[i] ?? 0)
    for (const row of rows) {
      const length =
        margin + (c.part === 'age' ? 6 : textOf(cellOf(row, c)).length + (c.index === 0 ? 2 : 0) + (c.part === 'state' ? chipMargin : 0))
      if (length > most) most = length
    }
    return Math.min(most, i === columns.length - 1 ? widestLast : widest)
  })
}
