// biome-ignore-all lint/a11y/useSemanticElements: a table that leaves out most of its rows lays out the others itself
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { Column, Row } from '../../api/form'
import type { Resource } from '../../api/resource'
import { t } from '../../i18n'
import { CellText, Mark } from './cells'
import { cellOf, isNumeric, type Shown } from './column'
import { hold, scrollTo, type View, windowOf } from './window'

/** rowHeight is how high a row is, in pixels; the style sheet says the same. */
export const rowHeight = 30

/** Reveal is filled by the grid with what scrolls it to a row, and how many rows are a page. */
export interface Reveal {
  current: (index: number) => void
  page: () => number
}

/** GridProps: `items` are the rows as they are at this moment, `rows` their order, which may be a little older. */
export interface GridProps {
  readonly label: string
  readonly resource: Resource
  readonly defined: readonly Column[]
  readonly columns: readonly Shown[]
  readonly widths: readonly number[]
  readonly rows: readonly Row[]
  readonly items: ReadonlyMap<string, Row>
  /** Changes when the person asks for other rows, or another order. */
  readonly order: string
  readonly total: number // with those that are still to be loaded
  readonly sorted: { readonly by: string; readonly descending: boolean }
  readonly sort: (column: string) => void
  readonly cursor: string // the uid of the row that the keys are at
  readonly point: (uid: string) => void
  readonly marked: ReadonlySet<string> // the uids of the rows that are marked
  readonly toggle: (uid: string) => void
  readonly reveal: Reveal
}

/** Grid shows as many rows of a table as there is room for. What moves among the rows leaves in place the row that one looks at. */
export function Grid(p: GridProps) {
  const box = useRef<HTMLDivElement>(null)
  const [view, setView] = useState<View>({ top: 0, height: 600, row: rowHeight })
  const measure = () => {
    const el = box.current
    if (el && (el.scrollTop !== view.top || el.clientHeight !== view.height)) {
      setView({ top: el.scrollTop, height: Math.max(0, el.clientHeight - rowHeight), row: rowHeight })
    }
  }
  useLayoutEffect(() => {
    const el = box.current
    if (!el) return
    const watcher = new ResizeObserver(() =>
      setView({ top: el.scrollTop, height: Math.max(0, el.clientHeight - rowHeight), row: rowHeight }),
    )
    watcher.observe(el)
    return () => watcher.disconnect()
  }, [])
  const hovered = useRef('')
  useHeldRow(box, view, p, p.cursor || hovered.current)
  p.reveal.current = (index) => {
    if (box.current) box.current.scrollTop = scrollTo(view, index, 0)
  }
  p.reveal.page = () => Math.max(1, Math.floor(view.height / rowHeight) - 1)
  const { start, end } = windowOf(view, p.rows.length)
  const template = p.widths.map((w) => `minmax(${w}ch, ${w}fr)`).join(' ')
  return (
    <div
      ref={box}
      class="grid"
      role="grid"
      tabIndex={0}
      aria-label={p.label}
      aria-rowcount={p.total + 1}
      aria-colcount={p.columns.length}
      aria-readonly="true"
      aria-multiselectable="true"
      aria-activedescendant={p.rows.slice(start, end).some((r) => r.meta.uid === p.cursor) ? rowId(p.cursor) : undefined}
      style={{ '--columns': template, '--total': `${p.widths.reduce((sum, w) => sum + w, 0)}ch` }}
      onScroll={measure}
      onPointerLeave={() => (hovered.current = '')}
    >
      <Head columns={p.columns} sorted={p.sorted} sort={p.sort} first={p.rows[0]} />
      <div class="grid-body" role="rowgroup" style={{ height: `${p.rows.length * rowHeight}px` }}>
        <div role="presentation" style={{ transform: `translateY(${start * rowHeight}px)` }}>
          {p.rows.slice(start, end).map((row, i) => (
            <Line
              key={row.meta.uid}
              row={p.items.get(row.meta.uid) ?? row}
              gone={!p.items.has(row.meta.uid)}
              index={start + i}
              grid={p}
              hover={(uid) => (hovered.current = uid)}
            />
          ))}
        </div>
      </div>
    </div>
  )
}

/** useHeldRow keeps a row where it is on the screen while others come and go above it: the one given, or else the first that is seen. */
function useHeldRow(box: { current: HTMLDivElement | null }, view: View, p: GridProps, wanted: string): void {
  const before = useRef({ rows: p.rows, order: p.order })
  useLayoutEffect(() => {
    const was = before.current
    before.current = { rows: p.rows, order: p.order }
    const el = box.current
    if (!el || was.rows === p.rows) return
    const now = { ...view, top: el.scrollTop }
    const top = was.order === p.order ? heldTop(now, was.rows, p.rows, wanted) : sought(now, p.rows, p.cursor)
    if (top !== el.scrollTop) el.scrollTop = top
  }, [p.rows])
}

/** heldTop is how far to scroll for a row that was seen to stay where it was. At the very top, with no such row, one sees what is new there. */
function heldTop(v: View, was: readonly Row[], rows: readonly Row[], wanted: string): number {
  const start = Math.ceil(v.top / v.row)
  const end = Math.floor((v.top + v.height) / v.row)
  const found = wanted === '' ? -1 : was.slice(start, end).findIndex((r) => r.meta.uid === wanted)
  const from = found >= 0 ? start + found : v.top > 0 ? start : -1
  const uid = was[from]?.meta.uid
  const to = uid === undefined ? -1 : rows.findIndex((r) => r.meta.uid === uid)
  return to < 0 ? v.top : hold(v, from, to)
}

/** sought is how far to scroll when other rows are shown, or in another order: to the cursor, or the beginning. */
function sought(v: View, rows: readonly Row[], cursor: string): number {
  const index = cursor === '' ? -1 : rows.findIndex((r) => r.meta.uid === cursor)
  return index < 0 ? 0 : scrollTo({ ...v, top: 0 }, index, 2)
}

/** rowId is the id of a row's element. */
const rowId = (uid: string): string => `row-${uid}`

function Head({ columns, sorted, sort, first }: Pick<GridProps, 'columns' | 'sorted' | 'sort'> & { first: Row | undefined }) {
  return (
    <div class="grid-head" role="rowgroup">
      <div class="grid-row" role="row" aria-rowindex={1} tabIndex={-1}>
        {columns.map((c) => {
          const here = sorted.by === c.name
          const order = here ? (sorted.descending ? 'descending' : 'ascending') : 'none'
          return (
            <div key={c.name} role="columnheader" tabIndex={-1} class={isNumeric(c, first) ? 'numeric' : ''} aria-sort={order}>
              <button type="button" class="plain" title={c.about} onClick={() => sort(c.name)}>
                {c.part === 'namespace' ? t('field.namespace') : c.name}
                <span aria-hidden="true">{here ? (sorted.descending ? ' ▾' : ' ▴') : ''}</span>
              </button>
            </div>
          )
        })}
      </div>
    </div>
  )
}

interface LineProps {
  readonly row: Row
  readonly gone: boolean
  readonly index: number
  readonly grid: GridProps
  readonly hover: (uid: string) => void
}

/** Line is one row. It flashes when what it says has changed while it was seen. */
function Line({ row, gone, index, grid, hover }: LineProps) {
  const shown = useRef({ row, changes: 0 })
  if (shown.current.row !== row) {
    const differs = grid.columns.some((c) => cellOf(row, c) !== cellOf(shown.current.row, c) && c.part !== 'age')
    shown.current = { row, changes: shown.current.changes + (differs ? 1 : 0) }
  }
  const { changes } = shown.current
  const { uid } = row.meta
  const classes = [
    'grid-row',
    index % 2 === 1 && 'odd',
    uid === grid.cursor && 'cursor',
    grid.marked.has(uid) && 'marked',
    gone && 'gone',
    changes > 0 && `flash-${changes % 2}`,
  ]
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the keys move among all rows, see the page
    <div
      id={rowId(uid)}
      class={classes.filter(Boolean).join(' ')}
      role="row"
      tabIndex={-1}
      aria-rowindex={index + 2}
      aria-selected={grid.marked.size > 0 ? grid.marked.has(uid) : uid === grid.cursor}
      onClick={(e) => {
        grid.point(uid)
        if ((e.ctrlKey || e.metaKey) && !(e.target as Element).closest('a')) grid.toggle(uid)
      }}
      onPointerEnter={() => hover(uid)}
    >
      {grid.columns.map((c, i) => (
        <div key={c.name} role="gridcell" tabIndex={-1} class={isNumeric(c, grid.rows[0]) ? `${c.part} numeric` : c.part}>
          {i === 0 && <Mark row={row} columns={grid.defined} resource={grid.resource} />}
          <span class="text">
            <CellText row={row} column={c} resource={grid.resource} />
          </span>
        </div>
      ))}
    </div>
  )
}
