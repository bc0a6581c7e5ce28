/** Place is a destination. `words` is what it is found by, in lower case; the name comes first. */
export interface Place {
  readonly id: string
  readonly sort: 'moment' | 'page' | 'kind' | 'fork' | 'object'
  readonly title: string
  /** Kind and namespace, which distinguish places with the same title. */
  readonly about: string
  readonly words: readonly string[]
  readonly go: () => void
}

/** mostFound is how many places are listed. */
export const mostFound = 50

const none = 4

/**
 * rankOf returns how well a place matches: 0 if its name is the text, 1 if its name starts with it,
 * 2 if the name contains it, 3 if all words occur somewhere.
 */
function rankOf(p: Place, text: string, parts: readonly string[]): number {
  if (p.sort === 'moment') return 0
  if (p.words.includes(text)) return 0
  if (p.words.some((w) => w.startsWith(text))) return 1
  if (p.words.some((w) => w.includes(text))) return 2
  return parts.every((part) => p.words.some((w) => w.includes(part))) ? 3 : none
}

const small = (text: string): string => text.trim().toLowerCase()

/**
 * isCertain reports whether the first place stays first whatever else is found: objects arrive one
 * kind after another.
 */
export const isCertain = (p: Place, text: string): boolean => p.sort !== 'object' && rankOf(p, small(text), []) === 0

/**
 * findPlaces returns the places that match a text, best first, in the given order if they match
 * equally well. An empty text matches only pages and forks.
 */
export function findPlaces(all: readonly Place[], text: string): Place[] {
  const wanted = small(text)
  if (wanted === '') return all.filter((p) => p.sort === 'page' || p.sort === 'fork').slice(0, mostFound)
  const parts = wanted.split(/[\s/]+/).filter(Boolean)
  return all
    .map((p) => ({ p, rank: rankOf(p, wanted, parts) }))
    .filter(({ rank }) => rank < none)
    .sort((a, b) => a.rank - b.rank)
    .slice(0, mostFound)
    .map(({ p }) => p)
}
