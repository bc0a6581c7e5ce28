import { useEffect, useRef, useState } from 'preact/hooks'
import type { RowMenuAt } from '../../act/rowmenu'
import type { RowToolsProps } from '../../act/rowtools'
import type { Row } from '../../api/form'
import { type Resource, resources } from '../../api/resource'
import { useTable } from '../../api/use'
import { formatNumber, t } from '../../i18n'
import { go, note, noted, route, setQuery } from '../../route'
import { titleOf } from '../../shell/kind'
import { onTable } from '../../shell/slots'
import { announce } from '../../ui/announce'
import { useKeys } from '../../ui/keys'
import { type Loader, Slot } from '../../ui/slot'
import { Trouble } from '../../ui/trouble'
import { chosenColumns } from './chosen'
import { ColumnMenu } from './columnmenu'
import { Empty } from './empty'
import { WithFailing } from './failing'
import { Filters } from './filters'
import { Grid, type Reveal } from './grid'
import { useMarks } from './marks'
import { badField, badLabel, refused } from './selector'
import { useUsage } from './usage'
import { nextSorting, sorting, useOrdered } from './view'
import './table.css'

/** Table shows the objects of a kind as the server prints them. */
export function Table() {
  const r = route.value
  const id = r.page === 'table' ? r.resource : ''
  const resource = resources.value.get(id)
  if (!resource) {
    return (
      <>
        <h1>{id}</h1>
        <p class="notice bad" role="alert">
          {t('load.unknownKind', { name: id })}
        </p>
      </>
    )
  }
  return <Rows key={id} resource={resource} />
}

function Rows({ resource }: { resource: Resource }) {
  const { query } = route.value
  const { ns, l = '', f = '' } = query
  const sound = badLabel(l) === null && badField(f) === null
  const table = useTable(sound ? { resource, namespace: ns, labels: l, fields: f } : null)
  const { items, changed, columns: defined } = useUsage(resource, table, { namespace: ns, labels: l })
  const chosen = chosenColumns(resource.id)
  const ordered = useOrdered({ resource: resource.id, namespaced: resource.namespaced, defined, items, changed, query, chosen })
  const search = useRef<HTMLInputElement>(null)
  const grid = useRef<HTMLDivElement>(null)
  const [cursor, setCursorNow] = useState(() => noted().row ?? '')
  const [menu, setMenu] = useState<RowMenuAt | null>(null)
  const setCursor = (uid: string) => {
    note({ row: uid })
    setCursorNow(uid)
    setMenu(null)
  }
  const marks = useMarks(ordered.rows)
  const reveal = useRef<Reveal>({ current: () => undefined, page: () => 1 }).current
  const focusGrid = () => grid.current?.querySelector<HTMLElement>('[role=grid]')?.focus({ preventScroll: true })
  useReturn(ordered.rows, cursor, reveal, focusGrid)
  const moveTo = useCursor(ordered.rows, cursor, setCursor, reveal, focusGrid)
  const openMenu = (uid: string, button: Element | null | undefined) => {
    if (!items.has(uid) || !button) return
    setCursor(uid)
    const { right, top, bottom } = button.getBoundingClientRect()
    setMenu({ right, top, bottom })
  }
  useTableKeys({
    moveTo,
    page: () => reveal.page(),
    search,
    open: () => openRow(resource, items.get(cursor)),
    mark: () => items.has(cursor) && marks.set(cursor, !marks.marked.has(cursor), false),
    menu: () => openMenu(cursor, grid.current?.querySelector('.grid-row.cursor .more button')),
    clear: () => (marks.marked.size > 0 ? marks.clear() : clear(cursor, setCursor)),
  })
  const order = JSON.stringify([ns, l, f, query.q, query.sort, query.desc, query.at])
  useAnswer(order, ordered.rows.length, items.size)
  const message = table.error?.code === 400 ? table.error.message : ''
  // If nothing could be read, show neither a number nor an empty table.
  const unread = !sound || (table.error !== null && items.size === 0)
  const refusal = { of: message === '' ? null : refused(message, l, f), message }
  return (
    <div class="table-page" ref={grid}>
      <div class="page-head">
        <h1>{titleOf(resource)}</h1>
        {!unread && (
          <Count shown={ordered.rows.length} there={items.size} remaining={table.remaining} loading={table.phase === 'loading'} />
        )}
        <div class="page-actions">
          <Slot
            of={rowTools}
            resource={resource}
            row={items.get(cursor) ?? null}
            marked={[...marks.marked].flatMap((uid) => items.get(uid) ?? [])}
            clear={marks.clear}
            menu={menu}
            closeMenu={() => {
              setMenu(null)
              focusGrid()
            }}
          />
          {onTable.map((part, i) => (
            <Slot key={i} of={part} resource={resource} namespace={ns ?? ''} />
          ))}
          <ColumnMenu kind={resource.id} all={defined} />
        </div>
      </div>
      <Filters query={query} refusal={refusal} search={search} leave={() => moveTo(cursor === '' ? 1 : 0)} />
      {refusal.of === null && sound && (table.error || items.size === 0) && <Trouble of={table} whole />}
      {table.phase !== 'loading' && !table.error && ordered.rows.length === 0 && (
        <Empty resource={resource} query={query} filtered={items.size > 0 || l !== '' || f !== ''} />
      )}
      {!unread && (
        <WithFailing resource={resource} namespace={ns} rows={items} changed={changed}>
          <Grid
            label={titleOf(resource)}
            resource={resource}
            defined={defined}
            {...ordered}
            items={items}
            order={order}
            total={ordered.rows.length + (table.phase === 'loading' ? table.remaining : 0)}
            sorted={sorting(query, resource.id)}
            sort={(column) => setQuery(nextSorting(query, resource.id, column))}
            cursor={cursor}
            point={setCursor}
            marked={marks.marked}
            toggle={marks.set}
            toggleAll={canMark(resource) ? marks.all : undefined}
            menu={openMenu}
            reveal={reveal}
          />
        </WithFailing>
      )}
    </div>
  )
}

/**
 * useCursor moves the cursor by a number of rows, or to the first or last. If its row is gone, it
 * continues from its place.
 */
function useCursor(
  rows: readonly Row[],
  cursor: string,
  point: (uid: string) => void,
  reveal: Reveal,
  focus: () => void,
): (by: number) => void {
  const last = useRef(-1)
  const index = cursor === '' ? -1 : rows.findIndex((r) => r.meta.uid === cursor)
  if (index >= 0) last.current = index
  return (by) => {
    const from = cursor === '' ? -1 : index >= 0 ? index : last.current - (by > 0 ? 1 : 0)
    const to = Math.max(0, Math.min(rows.length - 1, from + by))
    const row = rows[to]
    if (!row) return
    point(row.meta.uid)
    reveal.current(to)
    focus()
  }
}

/** canMark reports whether any action applies to several objects of a kind. */
const canMark = (resource: Resource): boolean => resource.verbs.includes('delete')

const rowTools: Loader<RowToolsProps> = () => import('../../act/rowtools').then((m) => m.RowTools)

/** useReturn restores the row that was focused when the user left the table. */
function useReturn(rows: readonly Row[], cursor: string, reveal: Reveal, focus: () => void): void {
  const wanted = useRef(cursor)
  useEffect(() => {
    if (wanted.current === '' || rows.length === 0) return
    const index = rows.findIndex((r) => r.meta.uid === wanted.current)
    if (index < 0 && wanted.current === cursor) return // it may still arrive
    if (index >= 0 && wanted.current === cursor) {
      reveal.current(index)
      focus()
    }
    wanted.current = ''
  }, [rows, cursor])
}

function openRow(resource: Resource, row: Row | undefined): void {
  if (row) go({ page: 'object', resource: resource.id, namespace: row.meta.namespace ?? '', name: row.meta.name, tab: '', query: {} })
}

/** clear removes the cursor, and then the search. */
function clear(cursor: string, point: (uid: string) => void): void {
  if (cursor !== '') point('')
  else setQuery({ q: '' })
}

interface TableKeys {
  readonly moveTo: (by: number) => void
  readonly page: () => number
  readonly search: { current: HTMLInputElement | null }
  readonly open: () => void
  readonly mark: () => void
  readonly menu: () => void
  readonly clear: () => void
}

/** inGrid reports whether a key is free for the table: not on a button or link. */
const inGrid = (e: KeyboardEvent): boolean => !(e.target instanceof Element && e.target.closest('button, a, summary'))

function useTableKeys(k: TableKeys): void {
  useKeys([
    { keys: ['/'], label: t('table.keys.search'), run: () => k.search.current?.select() },
    { keys: ['j', 'ArrowDown'], label: t('table.keys.down'), run: () => k.moveTo(1) },
    { keys: ['k', 'ArrowUp'], label: t('table.keys.up'), run: () => k.moveTo(-1) },
    { keys: ['PageDown'], label: t('table.keys.pageDown'), run: () => k.moveTo(k.page()) },
    { keys: ['PageUp'], label: t('table.keys.pageUp'), run: () => k.moveTo(-k.page()) },
    { keys: ['Home'], label: t('table.keys.first'), run: () => k.moveTo(-Number.MAX_SAFE_INTEGER) },
    { keys: ['End', 'G'], label: t('table.keys.last'), run: () => k.moveTo(Number.MAX_SAFE_INTEGER) },
    { keys: ['Enter', 'o'], label: t('table.keys.open'), run: k.open },
    { keys: [' '], label: t('table.keys.mark'), when: inGrid, run: k.mark },
    { keys: ['m', 'ContextMenu'], label: t('table.keys.menu'), when: (e) => e.key === 'm' || inGrid(e), run: k.menu },
    { keys: ['Escape'], label: t('table.keys.clear'), run: k.clear },
  ])
}

/** settled is after how many milliseconds without a key a search counts as complete. */
const settled = 700

/**
 * useAnswer announces the number of rows to a screen reader when the user has changed the
 * selection; not when rows change by themselves.
 */
function useAnswer(order: string, shown: number, there: number): void {
  const now = useRef({ shown, there })
  now.current = { shown, there }
  const first = useRef(order)
  useEffect(() => {
    if (first.current === order) return
    first.current = ''
    const timer = setTimeout(() => {
      announce(t('table.count', { shown: formatNumber(now.current.shown), there: formatNumber(now.current.there) }))
    }, settled)
    return () => clearTimeout(timer)
  }, [order])
}

/**
 * Count shows how many rows there are, how many of them are shown, and how many are still loading.
 */
function Count({ shown, there, remaining, loading }: { shown: number; there: number; remaining: number; loading: boolean }) {
  return (
    <p class="count">
      {shown === there ? formatNumber(there) : t('table.count', { shown: formatNumber(shown), there: formatNumber(there) })}
      {loading && remaining > 0 && <span> · {t('load.remaining', { n: remaining })}</span>}
    </p>
  )
}
