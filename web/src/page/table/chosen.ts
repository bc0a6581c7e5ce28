import { signal } from '@preact/signals'

/**
 * Chosen says by name whether the user wants to see a column. Other columns are shown by default as
 * the server says.
 */
export type Chosen = Readonly<Record<string, boolean>>

const storageKey = 'rowlock-columns'

/**
 * mostKinds is for how many kinds a choice is kept: the latest. mostNames limits the columns of
 * each.
 */
const mostKinds = 100
const mostNames = 50

/** parseChosen parses the stored choices and drops invalid ones. */
export function parseChosen(text: string | null): ReadonlyMap<string, Chosen> {
  const kept = new Map<string, Chosen>()
  try {
    const all: unknown = JSON.parse(text ?? '[]')
    if (!Array.isArray(all)) return kept
    for (const one of all.slice(-mostKinds)) {
      const [kind, columns] = Array.isArray(one) ? one : []
      if (typeof kind !== 'string' || typeof columns !== 'object' || columns === null) continue
      const names = Object.entries(columns).filter((e): e is [string, boolean] => typeof e[1] === 'boolean')
      if (names.length > 0) kept.set(kind, Object.fromEntries(names.slice(0, mostNames)))
    }
  } catch {
    return kept // not a value that the dashboard wrote
  }
  return kept
}

/** withChosen changes the choice for a kind and makes it the latest; an empty choice is deleted. */
export function withChosen(all: ReadonlyMap<string, Chosen>, kind: string, columns: Chosen): ReadonlyMap<string, Chosen> {
  const rest = [...all].filter(([k]) => k !== kind)
  if (Object.keys(columns).length === 0) return new Map(rest)
  return new Map([...rest, [kind, columns] as const].slice(-mostKinds))
}

const chosen = signal(parseChosen(globalThis.localStorage?.getItem(storageKey) ?? null))

const nothing: Chosen = {}

/** chosenColumns returns the user's choice of columns for a kind. */
export const chosenColumns = (kind: string): Chosen => chosen.value.get(kind) ?? nothing

/** chooseColumns stores a choice in the browser, if it has room. */
export function chooseColumns(kind: string, columns: Chosen): void {
  chosen.value = withChosen(chosen.peek(), kind, columns)
  try {
    localStorage.setItem(storageKey, JSON.stringify([...chosen.peek()]))
  } catch {
    // The storage is full or forbidden: the choice lasts as long as the page.
  }
}
