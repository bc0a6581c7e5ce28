import { useRef, useState } from 'preact/hooks'
import type { Row } from '../../api/form'
import { t } from '../../i18n'
import { announce } from '../../ui/announce'

/** mostMarked is how many rows can be marked at the same time. */
export const mostMarked = 500

/** markAll marks all rows, up to the limit; if all are marked already, it unmarks them. */
export function markAll(marked: ReadonlySet<string>, rows: readonly Row[]): ReadonlySet<string> {
  const uids = rows.slice(0, mostMarked).map((r) => r.meta.uid)
  return uids.every((uid) => marked.has(uid)) ? new Set() : new Set(uids)
}

/**
 * markThrough marks or unmarks the rows between two; if the first is not there, only the second.
 */
export function markThrough(
  marked: ReadonlySet<string>,
  rows: readonly Row[],
  from: string,
  uid: string,
  to: boolean,
): ReadonlySet<string> {
  const next = new Set(marked)
  const [a, b] = [from, uid].map((one) => rows.findIndex((r) => r.meta.uid === one)).sort((x, y) => x - y) as [number, number]
  for (const one of a < 0 ? [uid] : rows.slice(a, b + 1).map((r) => r.meta.uid)) {
    if (!to) next.delete(one)
    else if (next.size < mostMarked) next.add(one)
  }
  return next
}

/** Marks are the rows that the user has marked, by uid. */
export interface Marks {
  readonly marked: ReadonlySet<string>
  /** set marks or unmarks a row; with `through`, also all rows since the one marked before. */
  readonly set: (uid: string, to: boolean, through: boolean) => void
  readonly all: () => void
  readonly clear: () => void
}

/** useMarks keeps the marks of a table. */
export function useMarks(rows: readonly Row[]): Marks {
  const [marked, setMarked] = useState<ReadonlySet<string>>(new Set())
  const last = useRef('')
  return {
    marked,
    set: (uid, to, through) => {
      setMarked(markThrough(marked, rows, through ? last.current : '', uid, to))
      last.current = uid
    },
    all: () => {
      const next = markAll(marked, rows)
      setMarked(next)
      if (next.size > 0 && next.size < rows.length) announce(t('bulk.most', { n: next.size }))
    },
    clear: () => setMarked(new Set()),
  }
}
