/** Window is the range of rows of a long list that are drawn, from `start` to before `end`. */
export interface Window {
  readonly start: number
  readonly end: number
}

/** View is the visible part of a list whose rows all have the same height, in pixels. */
export interface View {
  readonly top: number // the scroll position
  readonly height: number
  readonly row: number
}

/** spare is how many rows are drawn beyond each edge, so that scrolling shows no gaps. */
const spare = 8

/**
 * windowOf returns which of `count` rows to draw. It starts at an even row, so that the stripes of
 * a list do not swap while it scrolls.
 *
 * With 100 rows of 10 px and 50 px visible from 200 px, rows 20 to 25 are visible, and 12 to 33 are
 * drawn.
 */
export function windowOf(v: View, count: number): Window {
  const first = Math.floor(Math.max(0, v.top) / v.row)
  const last = Math.ceil((Math.max(0, v.top) + v.height) / v.row)
  const end = Math.min(count, last + spare)
  const start = Math.max(0, Math.min(first - spare, end))
  return { start: start - (start % 2), end }
}

/**
 * scrollTo returns the scroll position that makes a row fully visible with the least movement. The
 * `margin` rows at each edge do not count as visible.
 */
export function scrollTo(v: View, index: number, margin = 1): number {
  const above = (index - margin) * v.row
  const below = (index + 1 + margin) * v.row - v.height
  return Math.max(0, v.top > above ? above : v.top < below ? below : v.top)
}

/** hold returns the scroll position that keeps a row in place when its index changes. */
export function hold(v: View, from: number, to: number): number {
  return Math.max(0, v.top + (to - from) * v.row)
}
