import { signal } from '@preact/signals'

/** Chosen says of columns, by their names, whether a person wants to see them. Those that are not named are as the server has them. */
export type Chosen = Readonly<Record<string, boolean>>

const storageKey = 'rowlock-columns'

/** mostKinds is for how many kinds a choice is kept: the latest. mostNames is of how many columns of each. */
const mostKinds = 100
const mostNames = 50

/** parseChosen reads what is kept; what it does not understand is dropped. */
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
    return kept // not a value that we wrote
  }
  return kept
}

/** withChosen changes the choice for a kind, which then is the latest; an empty choice is forgotten. */
export function withChosen(all: ReadonlyMap<string, Chosen>, kind: string, columns: Chosen): ReadonlyMap<string, Chosen> {
  const rest = [...all].filter(([k]) => k !== kind)
  if (Object.keys(columns).length === 0) return new Map(rest)
  return new Map([...rest, [kind, columns] as const].slice(-mostKinds))
}

const chosen = signal(parseChosen(globalThis.localStorage?.getItem(storageKey) ?? null))

const nothing: Chosen = {}

/** chosenColumns returns the user's choice of columns for a kind. */
export const chosenColumns = (kind: string): Chosen => chosen.value.get(kind) ?? nothing

/** chooseColumns keeps a choice in the browser's storage, where that has room. */
export function chooseColumns(kind: string, columns: Chosen): void {
  chosen.value = withChosen(chosen.peek(), kind, columns)
  try {
    localStorage.setItem(storageKey, JSON.stringify([...chosen.peek()]))
  } catch {
    // The storage is full or forbidden: the choice lasts as long as the page.
  }
}
