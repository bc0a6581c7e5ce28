import { type Document, isCollection, parseDocument, stringify } from 'yaml'
import type { KubeObject } from '../api/object'
import { apiVersion, type Resource } from '../api/resource'
import type { Change, Path } from './merge'

/** noise are the fields of metadata that the server keeps for itself. */
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

/** clean is an object as a person edits it: without what the server keeps for itself, and without a status that a PUT does not write. */
export function clean(resource: Resource, object: KubeObject): Record<string, unknown> {
  const { apiVersion: _, kind: __, metadata, ...rest } = object as KubeObject & Record<string, unknown>
  const kept = Object.entries(metadata).filter(([key]) => !noise.includes(key))
  const fields = Object.entries(rest).filter(([key]) => key !== 'status' || !resource.subresources.includes('status'))
  return { apiVersion: apiVersion(resource), kind: resource.kind, metadata: Object.fromEntries(kept), ...Object.fromEntries(fields) }
}

/** version is that of the YAML which the server reads: yes and on are true there, so that texts like these are written in quotes. */
const version = '1.1'

/** write is an object as YAML. */
export const write = (object: unknown): string => stringify(object, { version, lineWidth: 0, aliasDuplicateObjects: false })

/** bodyOf is what to PUT: the text, of the version that it began with. */
export function bodyOf(text: string, base: KubeObject): string {
  const document = parseDocument(text, { version })
  put(document, ['metadata', 'uid'], base.metadata.uid)
  put(document, ['metadata', 'resourceVersion'], base.metadata.resourceVersion)
  return document.toString({ lineWidth: 0 })
}

/** parsed is the value of a YAML text; undefined if it is not valid. */
export function parsed(text: string): unknown {
  const document = parseDocument(text, { version })
  if (document.errors.length > 0) return undefined
  try {
    return document.toJS({ maxAliasCount: 100 })
  } catch {
    return undefined // too many aliases
  }
}

/** applyChanges writes changes into a text, and leaves the rest of it as it is, comments too. */
export function applyChanges(text: string, all: readonly Change[]): string {
  const document = parseDocument(text, { version })
  for (const c of all) {
    if (c.path.length === 0) document.contents = document.createNode(c.after) as typeof document.contents
    else if (c.after === undefined) document.deleteIn(c.path)
    else put(document, c.path, c.after)
  }
  return document.toString({ lineWidth: 0 })
}

/** put sets a field, and makes the maps around it that are missing. */
function put(document: Document, path: Path, value: unknown): void {
  let there = path.length - 1
  while (there > 0 && !isCollection(document.getIn(path.slice(0, there)))) there--
  const missing = path.slice(there + 1)
  const node = document.createNode(missing.reduceRight((inner, key) => ({ [key]: inner }), value))
  document.setIn(path.slice(0, there + 1), node)
}
