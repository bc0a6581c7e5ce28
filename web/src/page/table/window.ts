/** Window is which rows of a long list are drawn: from `start` up to, and not with, `end`. */
export interface Window {
  readonly start: number
  readonly end: number
}

/** View is the visible part of a list whose rows all have the same height, in pixels. */
export interface View {
  readonly top: number // how far it is scrolled
  readonly height: number
  readonly row: number
}

/** spare is how many rows are drawn beyond either edge, so that scrolling does not show gaps. */
const spare = 8

/**
 * windowOf says which of `count` rows to draw. It begins at an even row, so that the stripes of a list do not swap while it scrolls.
 *
 * 100 rows of 10 px, visible are 50 px from 200 px on: rows 20 to 25; drawn are 12 to 33.
 */
export function windowOf(v: View, count: number): Window {
  const first = Math.floor(Math.max(0, v.top) / v.row)
  const last = Math.ceil((Math.max(0, v.top) + v.height) / v.row)
  const end = Math.min(count, last + spare)
  const start = Math.max(0, Math.min(first - spare, end))
  return { start: start - (start % 2), end }
}

/** scrollTo is how far to scroll so that a row can be seen whole, as little as needed. `margin` rows at either edge do not count as seen. */
export function scrollTo(v: View, index: number, margin = 1): number {
  const above = (index - margin) * v.row
  const below = (index + 1 + margin) * v.row - v.height
  return Math.max(0, v.top > above ? above : v.top < below ? below : v.top)
}

/** hold is how far to scroll so that a row which moved from one index to another stays where it was on the screen. */
export function hold(v: View, from: number, to: number): number {
  return Math.max(0, v.top + (to - from) * v.row)
}
