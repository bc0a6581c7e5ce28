import { formatNumber, t } from '../i18n'
import { type State, StateMark } from './state'
import './statebar.css'

/** order is the order of states in the bar: the worst first. */
const order: readonly State[] = ['bad', 'warn', 'wait', 'busy', 'going', 'ok', 'done', 'idle']

/**
 * partsOf returns the states that occur, with their counts and the start and length of their parts
 * of a bar of 100.
 */
export function partsOf(counts: Partial<Record<State, number>>): { state: State; n: number; x: number; width: number }[] {
  const total = order.reduce((sum, s) => sum + (counts[s] ?? 0), 0)
  let x = 0
  return order
    .filter((s) => (counts[s] ?? 0) > 0)
    .map((state) => {
      const n = counts[state] ?? 0
      const part = { state, n, x, width: (100 * n) / total }
      x += part.width
      return part
    })
}

/** StateBar shows how many objects are in which state, as a bar and in numbers. */
export function StateBar({ counts, bar = true }: { counts: Partial<Record<State, number>>; bar?: boolean }) {
  const parts = partsOf(counts)
  return (
    <span class="state-bar">
      {bar && (
        <svg viewBox="0 0 100 6" preserveAspectRatio="none" width="100%" height="6" aria-hidden="true">
          <rect class="rest" width="100" height="6" />
          {parts.map((p) => (
            <rect key={p.state} class={`state-${p.state}`} x={p.x} width={Math.max(0.6, p.width - 0.4)} height="6" />
          ))}
        </svg>
      )}
      <span class="state-counts">
        {parts.map((p) => (
          <span key={p.state} title={t(`state.${p.state}`)}>
            <StateMark state={p.state} /> {formatNumber(p.n)}
          </span>
        ))}
      </span>
    </span>
  )
}
