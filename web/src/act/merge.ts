/** Path leads to a field: keys of maps and indexes of lists. */
export type Path = readonly (string | number)[]

/** Change is a field whose value differs; undefined means that the field is absent. */
export interface Change {
  readonly path: Path
  readonly before: unknown
  readonly after: unknown
}

/** Conflict is a field that both sides have changed to different values. */
export interface Conflict {
  readonly path: Path
  readonly mine: unknown
  readonly theirs: unknown
}

type Fields = Readonly<Record<string, unknown>>

const isFields = (v: unknown): v is Fields => v !== null && typeof v === 'object' && !Array.isArray(v)

/** same reports whether two JSON values are equal, whatever the order of keys. */
export function same(a: unknown, b: unknown): boolean {
  if (a === b) return true
  if (Array.isArray(a) && Array.isArray(b)) return a.length === b.length && a.every((v, i) => same(v, b[i]))
  if (!isFields(a) || !isFields(b)) return false
  const keys = Object.keys(a)
  return keys.length === Object.keys(b).length && keys.every((k) => Object.hasOwn(b, k) && same(a[k], b[k]))
}

const own = (of: Fields, key: string): unknown => (Object.hasOwn(of, key) ? of[key] : undefined)

/**
 * changes returns the fields in which two values differ, as deep as possible: maps by key, lists of
 * equal length by index. A list whose length differs has changed as a whole, because its items
 * cannot be matched.
 */
export function changes(before: unknown, after: unknown, path: Path = []): Change[] {
  if (same(before, after)) return []
  if (isFields(before) && isFields(after)) {
    const keys = new Set([...Object.keys(before), ...Object.keys(after)])
    return [...keys].flatMap((key) => changes(own(before, key), own(after, key), [...path, key]))
  }
  if (Array.isArray(before) && Array.isArray(after) && before.length === after.length) {
    return before.flatMap((v, i) => changes(v, after[i], [...path, i]))
  }
  return [{ path, before, after }]
}

/** valueAt returns the value at a path. */
export function valueAt(root: unknown, path: Path): unknown {
  let v = root
  for (const step of path) {
    if (Array.isArray(v)) v = v[Number(step)]
    else if (isFields(v)) v = own(v, String(step))
    else return undefined
  }
  return v
}

const within = (a: Path, b: Path): boolean => a.length <= b.length && a.every((step, i) => step === b[i])

/**
 * merge divides the changes of others since `base` into those that can be applied to mine and those
 * that conflict. Changes that both sides have made are in neither.
 */
export function merge(base: unknown, mine: unknown, theirs: unknown): { take: Change[]; conflicts: Conflict[] } {
  const my = changes(base, mine)
  const take: Change[] = []
  const conflicts: Conflict[] = []
  for (const change of changes(base, theirs)) {
    const against = my.filter((c) => within(c.path, change.path) || within(change.path, c.path))
    if (against.length === 0) {
      take.push(change)
      continue
    }
    // The shorter path covers both changes.
    const path = against.reduce<Path>((widest, c) => (c.path.length < widest.length ? c.path : widest), change.path)
    const [a, b] = [valueAt(mine, path), valueAt(theirs, path)]
    if (!same(a, b) && !conflicts.some((c) => same(c.path, path))) conflicts.push({ path, mine: a, theirs: b })
  }
  return { take, conflicts }
}

/**
 * pathText formats a path as the server does: spec.containers[0].image,
 * metadata.labels[example.com/a].
 */
export function pathText(path: Path): string {
  return path.reduce<string>((text, step) => {
    if (typeof step === 'number') return `${text}[${step}]`
    if (!/^[A-Za-z_][\w-]*$/.test(step)) return `${text}[${step}]`
    return text === '' ? step : `${text}.${step}`
  }, '')
}
