import { structuredPatch } from 'diff'

/** DiffRow is a line of a diff; `skip` stands for unchanged lines that are not shown. */
export interface DiffRow {
  readonly kind: 'same' | 'add' | 'del' | 'skip'
  readonly text: string
}

/**
 * around is how many unchanged lines are shown around a change. Texts that differ in too many lines
 * are not compared, because that takes quadratic time.
 */
const around = 3
const most = 2000

/**
 * linesBetween returns the diff of two texts, without rows if they are equal, or 'large' if it
 * would take too long.
 */
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
