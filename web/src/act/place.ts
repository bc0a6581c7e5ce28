import { isMap, isScalar, isSeq, type Node, type Pair, type YAMLMap } from 'yaml'

/** Span is a range of a text, in characters. */
export interface Span {
  readonly from: number
  readonly to: number
}

/**
 * Place is the span of a field in a manifest or, if the field is absent, of the nearest enclosing
 * one.
 */
export interface Place extends Span {
  readonly exact: boolean
}

/** The maximum length of a path; the rest of a longer one is ignored. */
const longest = 2000

/**
 * placeOf finds a field that the server names, such as spec.template.spec.containers[0].image or
 * metadata.annotations[example.com/a].
 *
 * Keys may contain dots and brackets, so the path is matched against the manifest: of the keys that
 * match, the longest wins. It returns undefined if the document is a scalar.
 */
export function placeOf(root: Node | null | undefined, path: string): Place | undefined {
  let node = root
  let place = spanOf(node, firstOf(node))
  let rest = path.slice(0, longest)
  while (rest !== '') {
    const next = isMap(node) ? inMap(node, rest) : isSeq(node) ? inList(node.items, rest) : undefined
    if (!next) return place && { ...place, exact: false }
    node = next.node
    place = next.span ?? place
    rest = next.rest
  }
  return place && { ...place, exact: true }
}

interface Step {
  readonly node: Node | null | undefined
  readonly span: Span | undefined
  readonly rest: string
}

/** inMap follows the path to a key: `key`, `.key` or `[key]`. */
function inMap(map: YAMLMap, path: string): Step | undefined {
  let found: { pair: Pair; length: number } | undefined
  for (const pair of map.items) {
    const key = keyOf(pair)
    if (key === undefined) continue
    for (const form of [key, `.${key}`, `[${key}]`]) {
      const after = path[form.length]
      const ends = after === undefined || after === '.' || after === '['
      if (form !== '' && ends && path.startsWith(form) && form.length > (found?.length ?? 0)) found = { pair, length: form.length }
    }
  }
  if (!found) return undefined
  const value = found.pair.value as Node | null
  const key = spanOf(found.pair.key as Node)
  const last = found.length === path.length
  // Mark key and value if the value is short, otherwise only the key.
  const whole = last && isScalar(value) && key && spanOf(value) ? { from: key.from, to: spanOf(value)?.to ?? key.to } : key
  return { node: value, span: whole, rest: path.slice(found.length) }
}

/** inList follows the path to an item: `[2]`. */
function inList(items: readonly unknown[], path: string): Step | undefined {
  const index = /^\[(\d{1,9})\]/.exec(path)
  if (!index) return undefined
  const item = items[Number(index[1])] as Node | null | undefined
  if (!item) return undefined
  return { node: item, span: spanOf(item, firstOf(item)), rest: path.slice(index[0].length) }
}

/**
 * firstOf returns the node that is marked for a collection: its first key. Other nodes are marked
 * themselves.
 */
function firstOf(node: Node | null | undefined): Node | undefined {
  if (isMap(node)) return (node.items[0]?.key as Node | null) ?? node
  return node ?? undefined
}

function keyOf(pair: Pair): string | undefined {
  return isScalar(pair.key) ? String(pair.key.value) : undefined
}

function spanOf(node: Node | null | undefined, shown: Node | undefined = node ?? undefined): Span | undefined {
  const range = shown?.range ?? node?.range
  return range ? { from: range[0], to: range[1] } : undefined
}
