import { type Completion, type CompletionContext, type CompletionResult, insertCompletionText } from '@codemirror/autocomplete'
import type { EditorView } from '@codemirror/view'
import { apiVersion, resources } from '../api/resource'
import { cursorOf } from './cursor'
import { scalar } from './draft'
import { type Field, fieldAtPath, fieldsIn, type Schemas, schemaOf } from './schema'

/**
 * completer suggests the fields and values that are valid at the cursor, from the kind's schema.
 */
export const completer = (schemas: Schemas) => async (c: CompletionContext) => {
  const cursor = cursorOf(c.state.doc.toString(), c.pos)
  if (!cursor || (c.pos === cursor.from && !c.explicit)) return null
  const [name] = cursor.path
  if (cursor.at === 'value' && cursor.path.length === 1 && (name === 'kind' || name === 'apiVersion')) {
    return result(cursor.from, identity(name, cursor.apiVersion, cursor.kind))
  }
  const found = await schemaOf(schemas, cursor.apiVersion, cursor.kind)
  if (!found || c.aborted) return null
  if (cursor.at === 'key') {
    const fields = fieldsIn(found.d, found.root, cursor.path).filter((f) => !cursor.taken.includes(f.name) && !served(f, cursor.path))
    return result(cursor.from, fields.map(ofField))
  }
  const { values = [], type } = fieldAtPath(found.d, found.root, cursor.path) ?? {}
  return result(
    cursor.from,
    values.map((label) => ({ label, type: 'enum', apply: type === 'string' ? scalar(label) : label })),
  )
}

/** served reports whether only the server writes a field, so that it is not suggested. */
const served = (f: Field, path: readonly string[]): boolean => path.length === 0 && f.name === 'status'

const result = (from: number, options: Completion[]): CompletionResult | null =>
  options.length === 0 ? null : { from, options, validFor: /^[\w.$/-]*$/ }

/**
 * identity suggests the kinds or apiVersions that the server serves. Those that match the rest of
 * the document come first.
 */
function identity(name: 'kind' | 'apiVersion', version: string, kind: string): Completion[] {
  const all = new Map<string, Completion>()
  for (const r of resources.value.values()) {
    const own = { kind: r.kind, apiVersion: apiVersion(r) }
    const fits = name === 'kind' ? own.apiVersion === version : own.kind === kind
    const one = { label: own[name], type: 'class', ...(name === 'kind' ? { detail: own.apiVersion } : {}), boost: fits ? 50 : 0 }
    if (fits || !all.has(one.label)) all.set(one.label, one)
  }
  return [...all.values()]
}

function ofField(f: Field): Completion {
  return {
    label: f.name,
    detail: f.type,
    type: f.shape === 'scalar' ? 'property' : 'class',
    boost: f.required ? 20 : 0,
    ...(f.description === '' ? {} : { info: f.description }),
    apply: (view: EditorView, _: Completion, from: number, to: number) => write(view, f, from, to),
  }
}

/**
 * write inserts a field, and a new line where its first item or field goes. It keeps an existing
 * colon.
 */
function write(view: EditorView, f: Field, from: number, to: number): void {
  const line = view.state.doc.lineAt(from)
  const rest = line.text.slice(to - line.from)
  const indent = ' '.repeat(from - line.from)
  const more = f.shape === 'scalar' ? ': ' : f.shape === 'list' ? `:\n${indent}- ` : `:\n${indent}  `
  const name = scalar(f.name)
  view.dispatch(insertCompletionText(view.state, rest.startsWith(':') ? name : name + more, from, to))
}
