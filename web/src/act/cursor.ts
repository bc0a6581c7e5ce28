/*
 * Where a cursor stands in YAML, by its lines and their indentation: a text that is being typed has no syntax tree yet. Flow collections and
 * block scalars are not looked into.
 */

/** Cursor is a position in a manifest. */
export interface Cursor {
  readonly apiVersion: string
  readonly kind: string
  /**
   * The fields around the position, outermost first, including the field of a value. '[]' is a list
   * item.
   */
  readonly path: readonly string[]
  readonly at: 'key' | 'value'
  /** The start of the word at the cursor. */
  readonly from: number
  /** The other keys of the same map. */
  readonly taken: readonly string[]
}

/** Row is a parsed line. */
interface Row {
  /** The columns of the dashes of list items that start on the line. */
  readonly dashes: readonly number[]
  /** The column of what follows the dashes. */
  readonly column: number
  /** The field's name; '' if the line has none. */
  readonly key: string
  /** The text after the field's colon, or the whole text without a field. */
  readonly value: string
  /** The column of the value. */
  readonly valueColumn: number
}

const field = /^("[^"]*"|'[^']*'|[^\s#'"[\]{},:&*!|>%@`-][^:#]*?|-[^\s:#][^:#]*?):(?:(\s+)(.*))?$/

/** rowOf parses a line. It returns null for an empty line or a comment. */
export function rowOf(line: string): Row | null {
  if (/^\s*(?:#|$)/.test(line)) return null
  const dashes: number[] = []
  let column = line.length - line.trimStart().length
  for (let more = /^-(\s+|$)/.exec(line.slice(column)); more; more = /^-(\s+|$)/.exec(line.slice(column))) {
    dashes.push(column)
    column += more[0].length
  }
  const rest = line.slice(column)
  const match = field.exec(rest)
  if (!match) return { dashes, column, key: '', value: rest.trim(), valueColumn: column }
  const name = match[1] ?? ''
  const key = /^["']/.test(name) ? name.slice(1, -1) : name.trimEnd()
  return { dashes, column, key, value: (match[3] ?? '').trim(), valueColumn: column + name.length + 1 + (match[2] ?? '').length }
}

const blockScalar = /^[|>][-+0-9]*\s*(?:#.*)?$/

/** cursorOf returns the cursor at an offset, or undefined if it cannot be determined. */
export function cursorOf(text: string, offset: number): Cursor | undefined {
  const lines = text.split('\n')
  let number = 0
  let begin = 0
  while (begin + (lines[number] ?? '').length < offset) begin += (lines[number++] ?? '').length + 1
  const column = offset - begin
  const line = lines[number] ?? ''
  const head = line.slice(0, column)
  if (/^\s*#|\s#|^---/.test(head)) return undefined
  const row = rowOf(head) ?? { dashes: [], column: head.length, key: '', value: '', valueColumn: head.length }
  if (!/^["']?[\w.$/-]*$/.test(row.value)) return undefined
  const bounds = documentOf(lines, number)
  const up = climb(lines, number, bounds.first, row)
  if (!up) return undefined
  const at = row.key === '' ? 'key' : 'value'
  const path = at === 'key' ? up.path : [...up.path, row.key]
  const root = (name: string) => topLevel(lines, bounds, name)
  return {
    apiVersion: root('apiVersion'),
    kind: root('kind'),
    path,
    at,
    from: begin + (at === 'key' ? row.column : row.valueColumn),
    taken: [...up.before, ...after(lines, number, bounds.end, row.column)],
  }
}

/**
 * fieldAt returns the field of the line at an offset, to explain it, or undefined if the line has
 * none.
 */
export function fieldAt(text: string, offset: number): Omit<Cursor, 'taken' | 'from' | 'at'> | undefined {
  const end = text.indexOf('\n', offset)
  const begin = text.lastIndexOf('\n', offset - 1) + 1
  const line = text.slice(begin, end < 0 ? text.length : end)
  const row = rowOf(line)
  if (!row || row.key === '') return undefined
  const found = cursorOf(text, begin + row.column)
  return found && { apiVersion: found.apiVersion, kind: found.kind, path: [...found.path, row.key] }
}

/** documentOf returns the lines of the document that contains a line. */
function documentOf(lines: readonly string[], number: number): { first: number; end: number } {
  let first = number
  while (first > 0 && !lines[first - 1]?.startsWith('---')) first--
  let end = number
  while (end < lines.length && !lines[end]?.startsWith('---')) end++
  return { first, end }
}

/** topLevel returns the value of a top-level field of the document. */
function topLevel(lines: readonly string[], { first, end }: { first: number; end: number }, name: string): string {
  for (const line of lines.slice(first, end)) {
    const row = rowOf(line)
    if (row?.key === name && row.column === 0) return row.value.replace(/\s+#.*$/, '').replace(/^(["'])(.*)\1$/, '$2')
  }
  return ''
}

/**
 * climb collects the fields around a line, going up. It returns undefined inside a block scalar, or
 * if the text cannot be parsed this way.
 */
function climb(lines: readonly string[], number: number, first: number, from: Row): { path: string[]; before: string[] } | undefined {
  const path: string[] = []
  const before: string[] = []
  let limit = from.column
  let inList = false // the parent is a list, whose key may be in the same column as its dashes
  const leave = (dashes: readonly number[]) => {
    for (const dash of [...dashes].reverse()) {
      path.unshift('[]')
      limit = dash
      inList = true
    }
  }
  leave(from.dashes)
  for (let i = number - 1; i >= first && (limit > 0 || inList || path.length === 0); i--) {
    const row = rowOf(lines[i] ?? '')
    if (!row) continue
    const parent = inList ? row.column <= limit : row.column < limit
    if (parent && row.key !== '') {
      if (blockScalar.test(row.value)) return undefined
      path.unshift(row.key)
      limit = row.column
      inList = false
      leave(row.dashes)
    } else if (!inList && row.column === limit) {
      if (path.length === 0 && row.key !== '') before.push(row.key)
      leave(row.dashes)
    } else if (parent && row.key === '' && row.dashes.length === 0) return undefined // the continuation of a value
  }
  return { path, before }
}

/** after returns the later keys of the same map. */
function after(lines: readonly string[], number: number, end: number, column: number): string[] {
  const names: string[] = []
  for (let i = number + 1; i < end; i++) {
    const row = rowOf(lines[i] ?? '')
    if (!row) continue
    if (Math.min(row.column, ...row.dashes) < column) break
    if (row.column === column && row.key !== '') names.push(row.key)
  }
  return names
}
