/** Line is one line of a container's log. */
export interface Line {
  /** Numbers the lines of a view, as a key for rendering. */
  readonly id: number
  readonly pod: string
  readonly container: string
  /** When it was written, in the server's format to the nanosecond; such times sort as strings. */
  readonly at: string
  readonly text: string
  /** Whether the line is the dashboard's own remark. */
  readonly remark?: true
}

/** written counts the lines of containers, without remarks. */
export const written = (all: readonly Line[]): number => all.reduce((n, l) => n + (l.remark ? 0 : 1), 0)

/** escapes are what terminals understand: colours, movements, titles. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what it matches
const escapes = /\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)?|[@-Z\\-_])/g

/** mostText limits how much of a line is shown, in characters. */
const mostText = 4_000

/** plain returns what a terminal would show of a text. */
export function plain(text: string): string {
  const shown = text.replaceAll(escapes, '').replaceAll('\r', '')
  return shown.length > mostText ? `${shown.slice(0, mostText)}…` : shown
}

/**
 * splitLine splits a line of the server: with timestamps=true each starts with its time and a
 * space.
 */
export function splitLine(raw: string): { at: string; text: string } {
  const space = raw.indexOf(' ')
  const at = space < 0 ? raw : raw.slice(0, space)
  if (!/^\d{4}-\d\d-\d\dT/.test(at)) return { at: '', text: plain(raw) }
  return { at, text: plain(space < 0 ? '' : raw.slice(space + 1)) }
}

/** inOrder orders lines by time, then by container, then by their order in the container. */
const inOrder = (a: Line, b: Line): number =>
  compare(a.at, b.at) || compare(a.pod, b.pod) || compare(a.container, b.container) || a.id - b.id

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/**
 * merge merges new lines into those that are kept, independent of arrival order, and drops the
 * oldest beyond `most`. `before` must be sorted; usually all of `fresh` is newer.
 */
export function merge(before: readonly Line[], fresh: readonly Line[], most: number): Line[] {
  const all = [...before, ...fresh]
  const ordered = fresh.every((l, i) => {
    const previous = all[before.length + i - 1]
    return previous === undefined || inOrder(previous, l) < 0
  })
  if (!ordered) all.sort(inOrder)
  return all.length > most ? all.slice(all.length - most) : all
}

/** Piece is a part of a line: a match of the search, or the text between. */
export interface Piece {
  readonly text: string
  readonly found: boolean
}

/**
 * pieces splits a line at the matches of a search, ignoring case. Null means no match; without a
 * search there is one piece.
 */
export function pieces(text: string, search: string): Piece[] | null {
  if (search === '') return [{ text, found: false }]
  const [low, wanted] = [text.toLowerCase(), search.toLowerCase()]
  if (low.length !== text.length) return low.includes(wanted) ? [{ text, found: true }] : null // the lower-case text is longer
  const out: Piece[] = []
  let from = 0
  for (let i = low.indexOf(wanted); i >= 0; i = low.indexOf(wanted, from)) {
    if (i > from) out.push({ text: text.slice(from, i), found: false })
    out.push({ text: text.slice(i, i + wanted.length), found: true })
    from = i + wanted.length
  }
  if (out.length === 0) return null
  if (from < text.length) out.push({ text: text.slice(from), found: false })
  return out
}

/** sourceOf returns the source of a line, as far as it must be shown. */
export function sourceOf(l: Pick<Line, 'pod' | 'container'>, names: '' | 'container' | 'pod' | 'both'): string {
  switch (names) {
    case '':
      return ''
    case 'both':
      return `${l.pod}/${l.container}`
    default:
      return l[names]
  }
}

/** blockLines is how many lines are drawn anew together. */
const blockLines = 100

/** blocksOf divides lines into blocks. A line stays in its block when others are dropped from the start. */
export function blocksOf(lines: readonly Line[], dropped: number): { readonly key: number; readonly lines: readonly Line[] }[] {
  const blocks: { key: number; lines: readonly Line[] }[] = []
  for (let from = 0; from < lines.length; ) {
    const key = Math.floor((dropped + from) / blockLines)
    const to = (key + 1) * blockLines - dropped
    blocks.push({ key, lines: lines.slice(from, to) })
    from = to
  }
  return blocks
}
