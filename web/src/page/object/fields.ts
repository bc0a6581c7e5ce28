/** Field is a part of an object as it is shown where the page knows nothing of the kind. */
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

/** bounds are how many fields of a group, columns and rows of a table, and characters of a text are shown; and how deep. */
export const bounds = { fields: 200, columns: 8, rows: 200, text: 2000, deep: 6 }

const isMap = (v: unknown): v is Readonly<Record<string, unknown>> => typeof v === 'object' && v !== null && !Array.isArray(v)
const isPlain = (v: unknown): boolean =>
  typeof v !== 'object' || v === null || (Array.isArray(v) && v.every((one) => typeof one !== 'object'))

/** textOfValue is a value in a line. */
export function textOfValue(v: unknown): string {
  const text = typeof v === 'string' ? v : Array.isArray(v) && isPlain(v) ? v.map(String).join(', ') : written(v)
  return text.length > bounds.text ? `${text.slice(0, bounds.text)}…` : text
}

/** written is a value as JSON; of one that is nested too deeply for that there is nothing to see. */
function written(v: unknown): string {
  try {
    return JSON.stringify(v)
  } catch {
    return '…'
  }
}

/** fieldsOf reads a value field by field: what holds others becomes a group, and a list of like objects a table. */
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

/** labelOf is what an item of a list is called: by its name if it has one, else by its place. */
function labelOf(one: unknown, i: number): string {
  const name = isMap(one) ? (one.name ?? one.type ?? one.host) : undefined
  return typeof name === 'string' && name !== '' ? name : String(i)
}

/** shownApart are the fields of every object that the page shows in a place of their own. */
const shownApart = ['apiVersion', 'kind', 'metadata']

/** partsOf are the top fields of an object, the status after all that was asked for, without the conditions, which come first of all. */
export function partsOf(o: Readonly<Record<string, unknown>>): Field[] {
  const rest = Object.fromEntries(Object.entries(o).filter(([key]) => !shownApart.includes(key) && key !== 'status'))
  const { conditions: _, ...status } = isMap(o.status) ? o.status : {}
  return [...fieldsOf(rest), ...fieldsOf({ status })]
}
