import { t } from '../../i18n'
import { objectHref } from '../../route'
import { Shape, type State } from '../../ui/state'
import type { Cell } from './cells'

/** side is the size of a square, with its margin. */
const side = 22

/** columns is the number of squares in a row. */
const columns = (n: number): number => Math.min(n, n > 200 ? 50 : 25)

/**
 * Grid shows each index of a Job as a square with its state, which links to the newest Pod of the
 * index.
 */
export function Grid({ cells, namespace, indexed }: { cells: readonly Cell[]; namespace: string; indexed: boolean }) {
  const wide = columns(cells.length)
  const height = Math.ceil(cells.length / wide) * side
  return (
    <figure class="job-grid" aria-label={spoken(cells)}>
      {/* biome-ignore lint/a11y/noSvgWithoutTitle: the figure has the name */}
      <svg viewBox={`0 0 ${wide * side} ${height}`} width={wide * side} height={height}>
        {cells.map((c, i) => (
          <Square key={c.first} cell={c} x={(i % wide) * side} y={Math.floor(i / wide) * side} namespace={namespace} indexed={indexed} />
        ))}
      </svg>
      <figcaption>
        <Legend cells={cells} />
      </figcaption>
    </figure>
  )
}

function Square({ cell, x, y, namespace, indexed }: { cell: Cell; x: number; y: number; namespace: string; indexed: boolean }) {
  const mark = (
    <g class="square">
      {indexed && <title>{nameOf(cell)}</title>}
      <rect x={x + 1} y={y + 1} width={side - 2} height={side - 2} rx="3" />
      <Shape state={cell.state} x={x + side / 2} y={y + side / 2} size={14} />
    </g>
  )
  if (cell.pod === '') return mark
  return (
    <a href={objectHref('pods', namespace, cell.pod, 'log')} aria-label={nameOf(cell)}>
      {mark}
    </a>
  )
}

/** nameOf describes a square. */
function nameOf(c: Cell): string {
  const which = c.first === c.last ? t('job.index', { index: c.first }) : t('job.indexes', { first: c.first, last: c.last })
  return [which, t(`state.${c.state}`), ...(c.failures > 0 ? [t('job.failures', { n: c.failures })] : [])].join(', ')
}

function counts(cells: readonly Cell[]): [State, number][] {
  const out = new Map<State, number>()
  for (const c of cells) out.set(c.state, (out.get(c.state) ?? 0) + c.last - c.first + 1)
  return [...out]
}

const spoken = (cells: readonly Cell[]): string =>
  counts(cells)
    .map(([state, n]) => `${t(`state.${state}`)}: ${n}`)
    .join(', ')

function Legend({ cells }: { cells: readonly Cell[] }) {
  return (
    <ul class="legend">
      {counts(cells).map(([state, n]) => (
        <li key={state}>
          <svg width="16" height="16" viewBox="0 0 16 16" aria-hidden="true">
            <Shape state={state} x={8} y={8} />
          </svg>
          {t(`state.${state}`)} <b>{n}</b>
        </li>
      ))}
    </ul>
  )
}
