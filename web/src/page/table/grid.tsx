// biome-ignore-all lint/a11y/useSemanticElements: most rows are omitted, the others laid out here
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { Column, Row } from '../../api/form'
import type { Resource } from '../../api/resource'
import { t } from '../../i18n'
import { Icon } from '../../ui/icon'
import { CellText, Mark } from './cells'
import { cellOf, forNarrow, isNumeric, type Shown, textOf, tracks } from './column'
import { hold, scrollTo, type View, windowOf } from './window'

/** rowHeight is the height of a row, in pixels, as in the style sheet. */
export const rowHeight = 30

/**
 * narrowGrid is the width, in pixels, below which columns are truncated, so that more than the
 * names is visible; the others are the widths that remain, in characters.
 */
const [narrowGrid, narrowName, narrowCell] = [560, 18, 14]

/** Reveal is set by the grid: a function that scrolls to a row, and the number of rows per page. */
export interface Reveal {
  current: (index: number) => void
  page: () => number
}

/** GridProps: `items` are the current rows, `rows` their order, which may be slightly older. */
export interface GridProps {
  readonly label: string
  readonly resource: Resource
  readonly defined: readonly Column[]
  readonly columns: readonly Shown[]
  readonly widths: readonly number[]
  readonly rows: readonly Row[]
  readonly items: ReadonlyMap<string, Row>
  /** Changes when the user selects other rows or another order. */
  readonly order: string
  readonly total: number // including those still to be loaded
  readonly sorted: { readonly by: string; readonly descending: boolean }
  readonly sort: (column: string) => void
  readonly cursor: string // the uid of the focused row
  readonly point: (uid: string) => void
  readonly marked: ReadonlySet<string> // the uids of the marked rows
  readonly toggle: (uid: string, to: boolean, through: boolean) => void // through: including all rows since the previous one
  readonly toggleAll: (() => void) | undefined // undefined: rows cannot be marked
  readonly menu: (uid: string, button: Element) => void // opens the menu of a row
  readonly reveal: Reveal
}

/** Grid shows as many rows of a table as fit. When rows move, the focused row stays in place. */
export function Grid(all: GridProps) {
  const box = useRef<HTMLDivElement>(null)
  const [view, setView] = useState<View>({ top: 0, height: 600, row: rowHeight })
  const [narrow, setNarrow] = useState(false)
  const [columns, widths] = narrow ? forNarrow(all.columns, all.widths, narrowName, narrowCell) : [all.columns, all.widths]
  const p: Drawn = { ...all, columns, cut: narrow }
  const measure = () => {
    const el = box.current
    if (el && (el.scrollTop !== view.top || el.clientHeight !== view.height)) {
      setView({ top: el.scrollTop, height: Math.max(0, el.clientHeight - rowHeight), row: rowHeight })
    }
  }
  useLayoutEffect(() => {
    const el = box.current
    if (!el) return
    const watcher = new ResizeObserver(() => {
      setNarrow(el.clientWidth < narrowGrid)
      setView({ top: el.scrollTop, height: Math.max(0, el.clientHeight - rowHeight), row: rowHeight })
    })
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
  const tools = p.toggleAll ? ['32px', '34px'] : ['0', '34px']
  const { template, least } = tracks(widths)
  return (
    <div
      ref={box}
      class="grid"
      role="grid"
      tabIndex={0}
      aria-label={p.label}
      aria-rowcount={p.total + 1}
      aria-colcount={p.columns.length + 2}
      aria-readonly="true"
      aria-multiselectable="true"
      aria-activedescendant={p.rows.slice(start, end).some((r) => r.meta.uid === p.cursor) ? rowId(p.cursor) : undefined}
      style={{ '--columns': `${tools[0]} ${template} ${tools[1]}`, '--total': `calc(${least}ch + 66px)` }}
      onScroll={measure}
      onPointerLeave={() => (hovered.current = '')}
    >
      <Head grid={p} />
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

/**
 * useHeldRow keeps a row at its place on the screen while others come and go above it: the given
 * one, or else the first visible one.
 */
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

/**
 * heldTop returns the scroll position that keeps a visible row in place. At the very top, without a
 * focused row, new rows become visible.
 */
function heldTop(v: View, was: readonly Row[], rows: readonly Row[], wanted: string): number {
  const start = Math.ceil(v.top / v.row)
  const end = Math.floor((v.top + v.height) / v.row)
  const found = wanted === '' ? -1 : was.slice(start, end).findIndex((r) => r.meta.uid === wanted)
  const from = found >= 0 ? start + found : v.top > 0 ? start : -1
  const uid = was[from]?.meta.uid
  const to = uid === undefined ? -1 : rows.findIndex((r) => r.meta.uid === uid)
  return to < 0 ? v.top : hold(v, from, to)
}

/**
 * sought returns the scroll position when other rows are shown, or in another order: at the focused
 * row, or the start.
 */
function sought(v: View, rows: readonly Row[], cursor: string): number {
  const index = cursor === '' ? -1 : rows.findIndex((r) => r.meta.uid === cursor)
  return index < 0 ? 0 : scrollTo({ ...v, top: 0 }, index, 2)
}

/** rowId is the id of a row's element. */
const rowId = (uid: string): string => `row-${uid}`

function Head({ grid: { columns, sorted, sort, rows, marked, toggleAll } }: { grid: GridProps }) {
  const [first] = rows
  const there = rows.reduce((n, r) => n + (marked.has(r.meta.uid) ? 1 : 0), 0)
  return (
    <div class="grid-head" role="rowgroup">
      <div class="grid-row" role="row" aria-rowindex={1} tabIndex={-1}>
        <div role="columnheader" tabIndex={-1} class="mark">
          {toggleAll && (
            <input
              type="checkbox"
              aria-label={t('bulk.all')}
              checked={there > 0 && there === rows.length}
              ref={(box) => {
                if (box) box.indeterminate = there > 0 && there < rows.length
              }}
              onClick={toggleAll}
            />
          )}
        </div>
        {columns.map((c) => {
          const here = sorted.by === c.name
          const order = here ? (sorted.descending ? 'descending' : 'ascending') : 'none'
          return (
            <div key={c.name} role="columnheader" tabIndex={-1} class={isNumeric(c, first) ? 'numeric' : ''} aria-sort={order}>
              <button type="button" class="plain" title={c.about} onClick={() => sort(c.name)}>
                {c.name}
                {here && <Icon of={sorted.descending ? 'down' : 'up'} />}
              </button>
            </div>
          )
        })}
        <div role="columnheader" tabIndex={-1} class="more">
          <span class="unseen">{t('act.menu')}</span>
        </div>
      </div>
    </div>
  )
}

/** untold is the length, in characters, up to which a text needs no tooltip. */
const untold = 30

/** longText returns the whole text of a cell that may be cut off, for the tooltip. */
function longText(row: Row, c: Shown): string | undefined {
  const text = ['plain', 'name', 'message'].includes(c.part) ? textOf(cellOf(row, c)) : ''
  return text.length > untold ? text : undefined
}

/** Drawn are the props with the columns as drawn; `cut` says that they are truncated. */
interface Drawn extends GridProps {
  readonly cut: boolean
}

interface LineProps {
  readonly row: Row
  readonly gone: boolean
  readonly index: number
  readonly grid: Drawn
  readonly hover: (uid: string) => void
}

/** Line is one row. It flashes when its content changes while it is visible. */
function Line({ row, gone, index, grid, hover }: LineProps) {
  const shown = useRef({ row, changes: 0 })
  if (shown.current.row !== row) {
    const differs = grid.columns.some((c) => cellOf(row, c) !== cellOf(shown.current.row, c) && c.part !== 'age' && c.part !== 'usage')
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
    // biome-ignore lint/a11y/useKeyWithClickEvents: the table handles the keys for all rows
    <div
      id={rowId(uid)}
      class={classes.filter(Boolean).join(' ')}
      role="row"
      tabIndex={-1}
      aria-rowindex={index + 2}
      aria-selected={grid.marked.size > 0 ? grid.marked.has(uid) : uid === grid.cursor}
      onClick={(e) => {
        const at = e.target as Element
        if (at.closest('button, input')) return
        grid.point(uid)
        if (!at.closest('a') && grid.toggleAll && (e.ctrlKey || e.metaKey || e.shiftKey))
          grid.toggle(uid, !grid.marked.has(uid), e.shiftKey)
      }}
      onPointerEnter={() => hover(uid)}
    >
      <div role="gridcell" tabIndex={-1} class="mark">
        {grid.toggleAll && (
          <input
            type="checkbox"
            tabIndex={-1}
            aria-label={t('bulk.mark', { name: row.meta.name })}
            checked={grid.marked.has(uid)}
            onClick={(e) => grid.toggle(uid, e.currentTarget.checked, e.shiftKey)}
          />
        )}
      </div>
      {grid.columns.map((c, i) => (
        <div key={c.name} role="gridcell" tabIndex={-1} class={isNumeric(c, grid.rows[0]) ? `${c.part} numeric` : c.part}>
          {i === 0 && <Mark row={row} columns={grid.defined} resource={grid.resource} />}
          <span class="text" title={longText(row, c)}>
            <CellText row={row} cut={grid.cut} column={c} columns={grid.defined} resource={grid.resource} />
          </span>
        </div>
      ))}
      <div role="gridcell" tabIndex={-1} class="more">
        <button
          type="button"
          class="plain"
          tabIndex={-1}
          aria-haspopup="menu"
          aria-label={t('bulk.menu', { name: row.meta.name })}
          onClick={(e) => grid.menu(uid, e.currentTarget)}
        >
          <Icon of="more" />
        </button>
      </div>
    </div>
  )
}
