import { structuredPatch } from 'diff'

/** DiffRow is a line of a difference; `skip` stands for lines that are the same and not shown. */
export interface DiffRow {
  readonly kind: 'same' | 'add' | 'del' | 'skip'
  readonly text: string
}

/** How many lines around a change are shown, and how many lines in all. A text that differs in more is not compared: that takes the square of them. */
const around = 3
const most = 2000

/** linesBetween is how a text differs from another, or 'large' if that takes too long to find out. No rows: it does not. */
export function linesBetween(before: string, after: string): readonly DiffRow[] | 'large' {
  const patch = structuredPatch('', '', before, after, undefined, undefined, { context: around, maxEditLength: most })
  if (!patch) return 'large'
  const rows: DiffRow[] = []
  let last = 1
  for (const hunk of patch.hunks) {
    const left = hunk.oldStart - last
    if (left > 0) rows.push({ kind: 'skip', text: `${left}` })
    last = hunk.oldStart + hunk.oldLines
    for (const line of hunk.lines) {
      const sign = line[0]
      if (sign === '\\') continue
      rows.push({ kind: sign === '+' ? 'add' : sign === '-' ? 'del' : 'same', text: line.slice(1) })
    }
  }
  return rows.slice(0, most)
}
