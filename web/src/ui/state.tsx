import { t } from '../i18n'

/**
 * State is the state of anything. Each has its own colour and shape, so that colours are not the
 * only difference.
 *
 * ok: as desired. busy: in progress. wait: blocked by something else. warn: failing, being retried.
 * bad: failed. done: completed. going: being deleted. idle: intentionally inactive.
 */
export type State = 'ok' | 'busy' | 'wait' | 'warn' | 'bad' | 'done' | 'going' | 'idle'

/** shapes are drawn in a square of 16. */
const shapes: Record<State, string> = {
  ok: 'M8 2a6 6 0 1 0 0 12A6 6 0 1 0 8 2z', // a disc
  busy: 'M8 2a6 6 0 0 1 0 12z M8 2a6 6 0 1 0 0 12v-1.6a4.4 4.4 0 0 1 0-8.8z', // a half disc
  wait: 'M8 2a6 6 0 1 0 0 12A6 6 0 1 0 8 2zm0 2a4 4 0 1 1 0 8 4 4 0 0 1 0-8z', // a ring
  warn: 'M8 1.5 15 14H1z', // a triangle
  bad: 'M3.5 2 8 6.5 12.5 2 14 3.5 9.5 8l4.5 4.5-1.5 1.5L8 9.5 3.5 14 2 12.5 6.5 8 2 3.5z', // a cross
  done: 'M6.2 13.4 1.5 8.7 3.3 6.9l2.9 2.9 6.5-6.5 1.8 1.8z', // a tick
  going: 'M8 1l7 7-7 7-7-7zm0 2.8L3.8 8 8 12.2 12.2 8z', // a hollow diamond
  idle: 'M3 3h10v10H3zm1.8 1.8v6.4h6.4V4.8z', // a hollow square
}

/**
 * Shape is a state's mark inside an SVG picture, centred at a point. It has no name: the picture
 * does.
 */
export function Shape({ state, x, y, size = 16 }: { state: State; x: number; y: number; size?: number }) {
  return <path class={`state-${state}`} d={shapes[state]} transform={`translate(${x - size / 2} ${y - size / 2}) scale(${size / 16})`} />
}

/**
 * StateMark is a state's mark in a line of text. If no text beside it names the state, `label` or
 * the state's own name is its accessible name.
 */
export function StateMark({ state, label, quiet = false }: { state: State; label?: string; quiet?: boolean }) {
  const name = label ?? t(`state.${state}`)
  return (
    <svg
      class="state-mark"
      viewBox="0 0 16 16"
      width="16"
      height="16"
      role={quiet ? 'presentation' : 'img'}
      aria-label={quiet ? undefined : name}
      aria-hidden={quiet}
    >
      {quiet ? null : <title>{name}</title>}
      <path class={`state-${state}`} d={shapes[state]} />
    </svg>
  )
}
