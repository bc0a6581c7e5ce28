import { type Document, isCollection, parseDocument, stringify } from 'yaml'
import type { KubeObject } from '../api/object'
import { apiVersion, type Resource } from '../api/resource'
import type { Change, Path } from './merge'

/** noise are the metadata fields that only the server writes. */
const noise = [
  'managedFields',
  'uid',
  'resourceVersion',
  'creationTimestamp',
  'generation',
  'selfLink',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
]

/**
 * clean returns an object as a person edits it: without fields that only the server writes, and
 * without a status that PUT ignores.
 */
export function clean(resource: Resource, object: KubeObject): Record<string, unknown> {
  const { apiVersion: _, kind: __, metadata, ...rest } = object as KubeObject & Record<string, unknown>
  const kept = Object.entries(metadata).filter(([key]) => !noise.includes(key))
  const fields = Object.entries(rest).filter(([key]) => key !== 'status' || !resource.subresources.includes('status'))
  return { apiVersion: apiVersion(resource), kind: resource.kind, metadata: Object.fromEntries(kept), ...Object.fromEntries(fields) }
}

/**
 * version is the YAML version that the server parses. In it, yes and on are booleans, so such
 * strings are quoted.
 */
const version = '1.1'

/** write formats an object as YAML. */
export const write = (object: unknown): string => stringify(object, { version, lineWidth: 0, aliasDuplicateObjects: false })

/** scalar formats a string for one line of YAML, in quotes if it needs them. */
export const scalar = (text: string): string => stringify(text, { version, lineWidth: 0, blockQuote: false }).trimEnd()

/** bodyOf returns the body of the PUT: the text, with the resourceVersion that it started from. */
export function bodyOf(text: string, base: KubeObject): string {
  const document = parseDocument(text, { version })
  put(document, ['metadata', 'uid'], base.metadata.uid)
  put(document, ['metadata', 'resourceVersion'], base.metadata.resourceVersion)
  return document.toString({ lineWidth: 0 })
}

/** parsed returns the value of a YAML text, or undefined if it is not valid. */
export function parsed(text: string): unknown {
  const document = parseDocument(text, { version })
  if (document.errors.length > 0) return undefined
  try {
    return document.toJS({ maxAliasCount: 100 })
  } catch {
    return undefined // too many aliases
  }
}

/** applyChanges applies changes to a text and keeps the rest as it is, including comments. */
export function applyChanges(text: string, all: readonly Change[]): string {
  const document = parseDocument(text, { version })
  for (const c of all) {
    if (c.path.length === 0) document.contents = document.createNode(c.after) as typeof document.contents
    else if (c.after === undefined) document.deleteIn(c.path)
    else put(document, c.path, c.after)
  }
  return document.toString({ lineWidth: 0 })
}

/** put sets a field and creates missing maps on the way. */
function put(document: Document, path: Path, value: unknown): void {
  let there = path.length - 1
  while (there > 0 && !isCollection(document.getIn(path.slice(0, there)))) there--
  const missing = path.slice(there + 1)
  const node = document.createNode(missing.reduceRight((inner, key) => ({ [key]: inner }), value))
  document.setIn(path.slice(0, there + 1), node)
}
