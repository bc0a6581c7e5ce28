/** Field is a part of an object as shown for kinds without a page of their own. */
export type Field =
  | { readonly kind: 'text'; readonly name: string; readonly text: string }
  | { readonly kind: 'group'; readonly name: string; readonly fields: readonly Field[]; readonly more: number }
  | {
      readonly kind: 'table'
      readonly name: string
      readonly columns: readonly string[]
      readonly rows: readonly (readonly string[])[]
      readonly more: number
    }

/**
 * bounds limit how many fields of a group, columns and rows of a table, characters of a text, and
 * levels are shown.
 */
export const bounds = { fields: 200, columns: 8, rows: 200, text: 2000, deep: 6 }

const isMap = (v: unknown): v is Readonly<Record<string, unknown>> => typeof v === 'object' && v !== null && !Array.isArray(v)
const isPlain = (v: unknown): boolean =>
  typeof v !== 'object' || v === null || (Array.isArray(v) && v.every((one) => typeof one !== 'object'))

/** textOfValue formats a value on one line. */
export function textOfValue(v: unknown): string {
  const text = typeof v === 'string' ? v : Array.isArray(v) && isPlain(v) ? v.map(String).join(', ') : written(v)
  return text.length > bounds.text ? `${text.slice(0, bounds.text)}…` : text
}

/** written formats a value as JSON; '' if it is nested too deeply. */
function written(v: unknown): string {
  try {
    return JSON.stringify(v)
  } catch {
    return '…'
  }
}

/**
 * fieldsOf reads a value field by field: maps become groups, and lists of similar objects become
 * tables.
 */
export function fieldsOf(value: Readonly<Record<string, unknown>>, depth = 0): Field[] {
  return Object.entries(value)
    .filter(([, v]) => v !== undefined && v !== null && !(typeof v === 'object' && Object.keys(v).length === 0))
    .slice(0, bounds.fields)
    .map(([name, v]) => fieldOf(name, v, depth))
}

function fieldOf(name: string, v: unknown, depth: number): Field {
  if (isPlain(v) || depth >= bounds.deep) return { kind: 'text', name, text: textOfValue(v) }
  if (isMap(v)) return { kind: 'group', name, fields: fieldsOf(v, depth + 1), more: Math.max(0, Object.keys(v).length - bounds.fields) }
  return listOf(name, v as readonly unknown[], depth)
}

function listOf(name: string, all: readonly unknown[], depth: number): Field {
  const shown = all.slice(0, bounds.rows)
  const more = all.length - shown.length
  const columns = [...new Set(shown.flatMap((one) => (isMap(one) ? Object.keys(one) : [])))]
  const flat = shown.every((one) => isMap(one) && Object.values(one).every(isPlain))
  if (flat && columns.length <= bounds.columns) {
    const cell = (one: unknown, c: string) => {
      const v = (one as Record<string, unknown>)[c]
      return v === undefined || v === null ? '' : textOfValue(v)
    }
    return { kind: 'table', name, columns, rows: shown.map((one) => columns.map((c) => cell(one, c))), more }
  }
  return { kind: 'group', name, fields: shown.map((one, i) => fieldOf(labelOf(one, i), one, depth + 1)), more }
}

/** labelOf returns the label of a list item: its name, or its index. */
function labelOf(one: unknown, i: number): string {
  const name = isMap(one) ? (one.name ?? one.type ?? one.host) : undefined
  return typeof name === 'string' && name !== '' ? name : String(i)
}

/** shownApart are the fields that the page shows elsewhere for every object. */
const shownApart = ['apiVersion', 'kind', 'metadata']

/**
 * partsOf returns the top-level fields of an object, with the status last and without the
 * conditions, which are shown first.
 */
export function partsOf(o: Readonly<Record<string, unknown>>): Field[] {
  const rest = Object.fromEntries(Object.entries(o).filter(([key]) => !shownApart.includes(key) && key !== 'status'))
  const { conditions: _, ...status } = isMap(o.status) ? o.status : {}
  return [...fieldsOf(rest), ...fieldsOf({ status })]
}
