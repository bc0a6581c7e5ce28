// Writes web/src/api/rowlock.ts, the types of Rowlock's own operations, from openapi.yaml; --check says whether it is up to date.
// The generator needs TypeScript 5, so this is a package of its own with that version; the dashboard itself is compiled by a newer one.
import { readFileSync, writeFileSync } from 'node:fs'
import openapiTS, { astToString } from 'openapi-typescript'
import { parse } from 'yaml'

const source = new URL('../../openapi.yaml', import.meta.url)
const target = new URL('../src/api/rowlock.ts', import.meta.url)
const own = 'rowlock.v1.'
const reference = '#/components/schemas/'

/** refsIn are the names of the schemas that a part of the document refers to. */
function refsIn(part) {
  return [...JSON.stringify(part).matchAll(new RegExp(`"\\$ref":"${reference}([^"]+)"`, 'g'))].map((m) => m[1])
}

/** chosen are the schemas that are Rowlock's own, and those that these refer to. */
function chosen(all) {
  const found = {}
  const open = Object.keys(all).filter((name) => name.startsWith(own))
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    if (name in found) continue
    found[name] = all[name]
    open.push(...refsIn(all[name]))
  }
  return Object.fromEntries(Object.entries(found).sort(([a], [b]) => (a < b ? -1 : 1)))
}

/** filled is a schema whose lists are never null: the server answers an empty one, though its document allows null for every list. */
function filled(schema) {
  if (Array.isArray(schema)) return schema.map(filled)
  if (schema === null || typeof schema !== 'object') return schema
  const inner = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, filled(value)]))
  return Array.isArray(inner.type) && inner.type.includes('array') ? { ...inner, type: 'array' } : inner
}

const { openapi, info, components } = parse(readFileSync(source, 'utf8'))
const ast = await openapiTS({ openapi, info, paths: {}, components: { schemas: filled(chosen(components.schemas)) } }, { immutable: true })
const schemas = ast.filter((node) => node.name?.text === 'components')
const text = `// Generated from openapi.yaml by web/types/generate.js. DO NOT EDIT.\n\n${astToString(schemas)}`

if (!process.argv.includes('--check')) writeFileSync(target, text)
else if (readFileSync(target, 'utf8') !== text) {
  process.stderr.write('web/src/api/rowlock.ts is stale: npm --prefix web run types\n')
  process.exitCode = 1
}
