import { getJSON } from '../api/http'

/** Schema holds the fields of an OpenAPI v3 schema that are used here. */
export interface Schema {
  readonly $ref?: string
  readonly allOf?: readonly Schema[]
  readonly type?: string
  readonly format?: string
  readonly description?: string
  readonly enum?: readonly unknown[]
  readonly default?: unknown
  readonly required?: readonly string[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly items?: Schema
  readonly additionalProperties?: Schema | boolean
  readonly 'x-kubernetes-int-or-string'?: boolean
  readonly 'x-kubernetes-group-version-kind'?: readonly { readonly group: string; readonly version: string; readonly kind: string }[]
}

/** Document is an OpenAPI v3 document of one group and version. */
export interface Document {
  readonly components?: { readonly schemas?: Readonly<Record<string, Schema>> }
}

/** Field describes a field. */
export interface Field {
  readonly name: string
  /**
   * The type as kubectl explain names it: string, integer, []Container, map[string]string, Object.
   */
  readonly type: string
  readonly description: string
  readonly required: boolean
  /** Whether it is a list, a map or object, or neither. */
  readonly shape: 'list' | 'map' | 'scalar'
  /** The allowed values, if they are known. */
  readonly values: readonly string[]
}

const refName = (ref: string): string => ref.slice(ref.lastIndexOf('/') + 1)

/**
 * resolved follows references. Properties beside a reference, such as the field's own description,
 * take precedence.
 */
function resolved(d: Document, s: Schema | undefined): (Schema & { readonly of?: string }) | undefined {
  let schema = s
  let of: string | undefined
  for (let steps = 0; schema && steps < 10; steps++) {
    const ref: string | undefined = schema.$ref ?? (schema.allOf?.length === 1 ? schema.allOf[0]?.$ref : undefined)
    if (ref === undefined) return of === undefined ? schema : { ...schema, of }
    const { $ref: _, allOf: __, ...own }: Schema = schema
    of = refName(ref)
    schema = { ...d.components?.schemas?.[of], ...own }
  }
  return undefined
}

/** kindSchema returns the schema of a kind; undefined if the document has none. */
export function kindSchema(d: Document, group: string, version: string, kind: string): Schema | undefined {
  const is = (s: Schema) =>
    s['x-kubernetes-group-version-kind']?.some((k) => k.group === group && k.version === version && k.kind === kind) ?? false
  return Object.values(d.components?.schemas ?? {}).find(is)
}

/** within follows a path of fields; '[]' is a list item. */
function within(d: Document, root: Schema, path: readonly string[]): Schema | undefined {
  let schema = resolved(d, root)
  for (const step of path) {
    const more = typeof schema?.additionalProperties === 'object' ? schema.additionalProperties : undefined
    const next: Schema | undefined = step === '[]' ? schema?.items : (schema?.properties?.[step] ?? more)
    schema = resolved(d, next)
    if (!schema) return undefined
  }
  return schema
}

/** typeOf names a type as kubectl explain does. */
function typeOf(d: Document, s: Schema): string {
  const schema = resolved(d, s)
  if (!schema) return 'Object'
  const more = schema.additionalProperties
  if (schema.type === 'array') return `[]${schema.items ? typeOf(d, schema.items) : 'Object'}`
  if (typeof more === 'object') return `map[string]${typeOf(d, more)}`
  if (schema['x-kubernetes-int-or-string'] === true || schema.format === 'int-or-string') return 'IntOrString'
  if (schema.of !== undefined && schema.type !== 'integer') return schema.of.slice(schema.of.lastIndexOf('.') + 1)
  return schema.type === undefined || schema.type === 'object' ? 'Object' : schema.type
}

function fieldOf(d: Document, name: string, s: Schema, required: boolean): Field {
  const schema = resolved(d, s)
  const list = schema?.type === 'array'
  const map = !list && (schema?.properties !== undefined || schema?.additionalProperties !== undefined || schema?.type === 'object')
  const values = schema?.type === 'boolean' ? ['true', 'false'] : (schema?.enum ?? []).map(String)
  return {
    name,
    type: typeOf(d, s),
    description: schema?.description ?? '',
    required,
    shape: list ? 'list' : map ? 'map' : 'scalar',
    values,
  }
}

/** fieldsIn returns the fields of the map at a path: required ones first, then by name. */
export function fieldsIn(d: Document, root: Schema, path: readonly string[]): Field[] {
  const schema = within(d, root, path)
  const required = new Set(schema?.required)
  return Object.entries(schema?.properties ?? {})
    .map(([name, s]) => fieldOf(d, name, s, required.has(name)))
    .sort((a, b) => Number(b.required) - Number(a.required) || (a.name < b.name ? -1 : 1))
}

/** fieldAtPath returns the field at a path, or undefined if the schema has no such field. */
export function fieldAtPath(d: Document, root: Schema, path: readonly string[]): Field | undefined {
  const name = path.at(-1)
  if (name === undefined) return undefined
  const parent = within(d, root, path.slice(0, -1))
  const own = name === '[]' ? parent?.items : parent?.properties?.[name]
  const schema = own ?? (typeof parent?.additionalProperties === 'object' ? parent.additionalProperties : undefined)
  return schema && fieldOf(d, name, schema, parent?.required?.includes(name) ?? false)
}

interface Index {
  readonly paths?: Readonly<Record<string, unknown>>
}

/**
 * Schemas reads OpenAPI documents, each once. Each editor has its own, so that it sees definitions
 * as of when it was opened.
 */
export class Schemas {
  readonly #read = new Map<string, Promise<Document>>()
  #index: Promise<Index> | undefined

  /**
   * of returns the document of an apiVersion, such as apps/v1; an empty one if the server has none
   * or does not answer.
   */
  of(version: string): Promise<Document> {
    const known = this.#read.get(version)
    if (known) return known
    const made = this.#document(version).catch(() => {
      this.#read.delete(version)
      this.#index = undefined
      return {}
    })
    this.#read.set(version, made)
    return made
  }

  async #document(version: string): Promise<Document> {
    this.#index ??= getJSON<Index>('/openapi/v3')
    const path = version.includes('/') ? `apis/${version}` : `api/${version}`
    return (await this.#index).paths?.[path] === undefined ? {} : getJSON<Document>(`/openapi/v3/${path}`)
  }
}

/** schemaOf returns a document and a kind's schema in it, or undefined if it has none. */
export async function schemaOf(schemas: Schemas, version: string, kind: string): Promise<{ d: Document; root: Schema } | undefined> {
  if (version === '' || kind === '') return undefined
  const d = await schemas.of(version)
  const [group, v] = version.includes('/') ? version.split('/') : ['', version]
  const root = kindSchema(d, group ?? '', v ?? '', kind)
  return root && { d, root }
}
