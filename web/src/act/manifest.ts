import { type Document, isMap, isScalar, isSeq, type Node, parseAllDocuments } from 'yaml'
import type { Span } from './place'

/** Manifest is one object of a text: a document between `---`. */
export interface Manifest extends Span {
  readonly text: string
  readonly apiVersion: string
  readonly kind: string
  readonly name: string
  readonly namespace: string
  readonly document: Document.Parsed
}

/** Problem is an error or a warning about a part of the text. */
export interface Problem extends Span {
  readonly severity: 'error' | 'warning'
  readonly message: string
  /** The field as the server names it. */
  readonly field?: string
}

/** Missing is a required field that a document does not have. */
export type Missing = 'apiVersion' | 'kind' | 'name'

/** Manifests is the parsed text. */
export interface Manifests {
  readonly all: readonly Manifest[]
  /** YAML syntax errors, as the parser reports them. */
  readonly syntax: readonly Problem[]
  /** Documents without kind or name; `list` is a List, whose items should be separate documents. */
  readonly incomplete: readonly (Span & { readonly missing: Missing | 'object' | 'list' })[]
}

/** The longest text that is parsed, and how many errors are shown; the server accepts 3 MiB. */
export const longestText = 3 << 20
const mostProblems = 50

/** readManifests parses a text with any number of documents. It skips empty ones. */
export function readManifests(text: string): Manifests {
  const all: Manifest[] = []
  const syntax: Problem[] = []
  const incomplete: (Span & { missing: Missing | 'object' | 'list' })[] = []
  for (const document of parse(text)) {
    for (const e of document.errors) {
      if (syntax.length < mostProblems) syntax.push({ ...within(text, e.pos), severity: 'error', message: e.message })
    }
    const root = document.contents as Node | null
    if (document.errors.length > 0 || !root || (isScalar(root) && root.value === null)) continue
    const whole = { from: document.range[0], to: document.range[2] }
    const head = firstLine(text, root.range?.[0] ?? whole.from)
    if (!isMap(root)) {
      incomplete.push({ ...head, missing: 'object' })
      continue
    }
    const said = (...path: string[]): string => textAt(document, path)
    const one = { apiVersion: said('apiVersion'), kind: said('kind'), name: said('metadata', 'name') || said('metadata', 'generateName') }
    const missing = (['apiVersion', 'kind', 'name'] as const).find((field) => one[field] === '')
    if (one.kind.endsWith('List') && isSeq(document.get('items'))) incomplete.push({ ...head, missing: 'list' })
    else if (missing) incomplete.push({ ...head, missing })
    else all.push({ ...whole, ...one, namespace: said('metadata', 'namespace'), text: textOf(text, document), document })
  }
  return { all, syntax, incomplete }
}

function parse(text: string): readonly Document.Parsed[] {
  const parsed = parseAllDocuments(text.slice(0, longestText), { prettyErrors: false, strict: true })
  return Array.isArray(parsed) ? parsed : []
}

/** textOf returns one document of the text. */
function textOf(text: string, d: Document.Parsed): string {
  return text.slice(d.range[0], d.range[2])
}

function textAt(d: Document.Parsed, path: string[]): string {
  const node: unknown = d.getIn(path, true)
  return isScalar(node) && typeof node.value === 'string' ? node.value : ''
}

/** within clamps a range of the parser to the text; it is not empty unless the text is. */
function within(text: string, [from, to]: readonly [number, number]): Span {
  const start = Math.max(0, Math.min(from, text.length))
  return { from: start, to: Math.max(start, Math.min(to, text.length)) }
}

function firstLine(text: string, from: number): Span {
  const end = text.indexOf('\n', from)
  return { from, to: end < 0 ? text.length : end }
}

/** lineOf returns the line number of an offset, from 1. */
export function lineOf(text: string, at: number): number {
  let line = 1
  for (let i = text.indexOf('\n'); i >= 0 && i < at; i = text.indexOf('\n', i + 1)) line++
  return line
}
