/**
 * FieldChange is one field that differs. `before` is undefined if the field was added, `after` if
 * it was removed.
 */
export interface FieldChange {
  readonly path: string
  readonly before: unknown
  readonly after: unknown
  /** Whether it is bookkeeping rather than content; such fields are folded away. */
  readonly folded: boolean
}

type Fields = Readonly<Record<string, unknown>>

/**
 * keyFields identify the entries of lists; the first set that all entries have is used. They follow
 * the keys by which Kubernetes merges lists.
 *
 * Source: kubernetes v1.36 staging/src/k8s.io/api, the markers +patchMergeKey and +listMapKey
 *
 * Differs: the fields are tried in one order for all lists, and uid before name, because owners are
 * identified by it.
 */
const keyFields: readonly (readonly string[])[] = [
  ['uid'],
  ['name'],
  ['type'],
  ['containerPort', 'protocol'],
  ['port', 'protocol'],
  ['mountPath'],
  ['devicePath'],
  ['ip'],
  ['topologyKey', 'whenUnsatisfiable'],
  ['key', 'effect'],
]

const folded = /^metadata\.(managedFields|resourceVersion|generation)\b/

/** topmost are the parts of an object that are too large to be shown as one value. */
const topmost: ReadonlySet<string> = new Set(['', 'metadata', 'spec', 'status'])

/** maxChanges limits how many differences are found; a hostile object could have any number. */
export const maxChanges = 500

const isFields = (v: unknown): v is Fields => typeof v === 'object' && v !== null && !Array.isArray(v)

/**
 * diffObjects lists the fields in which two objects differ, in order; undefined stands for a
 * missing object.
 */
export function diffObjects(before: unknown, after: unknown): FieldChange[] {
  const found: FieldChange[] = []
  walk('', before, after, found)
  return found
}

function walk(path: string, before: unknown, after: unknown, found: FieldChange[]): void {
  if (found.length >= maxChanges || same(before, after)) return
  const whole = topmost.has(path) ? {} : undefined // a created or deleted object is listed field by field
  const [from, to] = [before ?? whole, after ?? whole]
  const keys = Array.isArray(before) && Array.isArray(after) ? keysFor([...before, ...after]) : undefined
  if (isFields(from) && isFields(to)) walkFields(path, from, to, found)
  else if (keys) walkKeyed(path, before as unknown[], after as unknown[], keys, found)
  else if (Array.isArray(before) && Array.isArray(after) && before.length === after.length && before.every(isFields))
    for (const [i, v] of before.entries()) walk(`${path}[${i}]`, v, after[i], found)
  else found.push({ path, before, after, folded: folded.test(path) })
}

function walkFields(path: string, before: Fields, after: Fields, found: FieldChange[]): void {
  for (const key of new Set([...Object.keys(before), ...Object.keys(after)])) {
    walk(join(path, key), own(before, key), own(after, key), found)
  }
}

function walkKeyed(
  path: string,
  before: readonly unknown[],
  after: readonly unknown[],
  keys: readonly string[],
  found: FieldChange[],
): void {
  const name = (v: unknown) => keys.map((k) => String(own(v as Fields, k) ?? '')).join('/')
  const old = new Map(before.map((v) => [name(v), v]))
  const fresh = new Map(after.map((v) => [name(v), v]))
  for (const [key, v] of old) walk(`${path}[${key}]`, v, fresh.get(key), found)
  for (const [key, v] of fresh) if (!old.has(key)) walk(`${path}[${key}]`, undefined, v, found)
}

/** keysFor returns the fields that identify the entries of a list, undefined if there are none. */
function keysFor(entries: readonly unknown[]): readonly string[] | undefined {
  if (entries.length === 0 || !entries.every(isFields)) return undefined
  return keyFields.find((keys) => entries.every((e) => own(e as Fields, keys[0] ?? '') !== undefined))
}

const own = (of: Fields, key: string): unknown => (Object.hasOwn(of, key) ? of[key] : undefined)

/** join appends a field to a path; names that are not plain words are in brackets. */
function join(path: string, key: string): string {
  if (!/^[A-Za-z_][\w-]*$/.test(key)) return `${path}[${key}]`
  return path === '' ? key : `${path}.${key}`
}

/** same reports whether two values are deeply equal. */
function same(a: unknown, b: unknown): boolean {
  if (a === b) return true
  if (Array.isArray(a) && Array.isArray(b)) return a.length === b.length && a.every((v, i) => same(v, b[i]))
  if (!isFields(a) || !isFields(b)) return false
  const keys = Object.keys(a)
  return keys.length === Object.keys(b).length && keys.every((k) => Object.hasOwn(b, k) && same(a[k], b[k]))
}

/** textOf formats a value for reading, truncated if it is long. */
export function textOf(v: unknown, most = 400): { text: string; cut: boolean } {
  const text = typeof v === 'string' ? v : v === undefined ? '' : JSON.stringify(v, null, isFields(v) || Array.isArray(v) ? 1 : 0)
  return text.length > most ? { text: text.slice(0, most), cut: true } : { text, cut: false }
}

/**
 * summaryOf names up to `most` changed fields, without bookkeeping and without fields that follow
 * from others.
 */
export function summaryOf(changes: readonly FieldChange[], most: number): { paths: string[]; more: number } {
  const shown = changes.filter((c) => !c.folded)
  const paths = [...new Set(shown.map((c) => shortPath(c.path)))]
  return { paths: paths.slice(0, most), more: Math.max(0, paths.length - most) }
}

/** shortPath omits the middle of a deep path. */
export function shortPath(path: string): string {
  return path.length > 60 ? `${path.slice(0, 24)}…${path.slice(-32)}` : path
}
