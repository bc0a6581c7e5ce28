import { expect, test } from 'vitest'
import { lineOf, readManifests } from './manifest'
import { fieldsIn, parseWarnings, problemsOf, warningsOf } from './problem'

const two = `# first
apiVersion: v1
kind: ConfigMap
metadata:
  name: a
---
---
apiVersion: apps/v1
kind: Deployment
metadata:
  generateName: b-
  namespace: there
spec:
  replicas: -1
`

test('documents are read apart, empty ones left out', () => {
  const { all, syntax, incomplete } = readManifests(two)
  expect(all.map((m) => [m.apiVersion, m.kind, m.name, m.namespace])).toEqual([
    ['v1', 'ConfigMap', 'a', ''],
    ['apps/v1', 'Deployment', 'b-', 'there'],
  ])
  expect([syntax, incomplete]).toEqual([[], []])
  expect(all[1]?.text).toContain('replicas: -1')
  expect(all[1]?.text).not.toContain('ConfigMap')
})

test.each([
  ['a: [1\nb: 2\n', 2],
  ['a: 1\na: 2\n', 2],
  ['\ta: 1\n', 1],
  ['a: "unended\n', 2],
])('what is no YAML is told at its line: %j', (text, line) => {
  const { syntax, all } = readManifests(text)
  expect(all).toEqual([])
  expect(lineOf(text, syntax[0]?.from ?? -1)).toBe(line)
})

test.each([
  ['just text', 'object'],
  ['- a\n- b', 'object'],
  ['kind: Pod', 'apiVersion'],
  ['apiVersion: v1', 'kind'],
  ['apiVersion: v1\nkind: Pod\nmetadata: {}', 'name'],
  ['apiVersion: v1\nkind: List\nitems: []', 'list'],
])('what does not say what it is is told: %j', (text, missing) => {
  expect(readManifests(text).incomplete.map((i) => i.missing)).toEqual([missing])
})

test.each(['', '---', '# nothing', '---\n---\n', '...'])('%j is nothing', (text) => {
  expect(readManifests(text)).toEqual({ all: [], syntax: [], incomplete: [] })
})

const [, deployment] = readManifests(two).all
const shown = (problems: { from: number; to: number; message: string }[]) => problems.map((p) => [two.slice(p.from, p.to), p.message])

test('what the server says stands at its field', () => {
  if (!deployment) throw new Error('it is not there')
  const causes = [
    { field: 'spec.replicas', message: 'must be greater than or equal to 0' },
    { field: 'spec.selector', message: 'Required value' },
  ]
  expect(shown(problemsOf(deployment, { message: 'invalid', details: { causes } }))).toEqual([
    ['replicas: -1', 'must be greater than or equal to 0'],
    ['spec', 'Required value'],
  ])
  const strict = 'strict decoding error: unknown field "spec.replicaz", duplicate field "metadata.namespace"'
  expect(shown(problemsOf(deployment, { message: strict }))).toEqual([
    ['spec', 'unknown field "spec.replicaz"'],
    ['namespace: there', 'duplicate field "metadata.namespace"'],
  ])
  expect(shown(problemsOf(deployment, { message: 'namespaces "there" not found' }))).toEqual([
    ['apiVersion', 'namespaces "there" not found'],
  ])
  expect(shown(warningsOf(deployment, ['spec.replicas: is low', 'unknown field "metadata.x"', 'take care: of it']))).toEqual([
    ['replicas: -1', 'is low'],
    ['metadata', 'unknown field "metadata.x"'],
    ['apiVersion', 'take care: of it'],
  ])
})

test('a wrong type names its field', () => {
  const message = 'json: cannot unmarshal string into Go struct field DeploymentSpec.spec.replicas of type int32'
  expect([...fieldsIn(message)].map((f) => f.field)).toEqual(['spec.replicas'])
})

test.each<[string | null, string[]]>([
  [null, []],
  ['299 - "one"', ['one']],
  ['299 - "one, \\"two\\"", 299 - "three"', ['one, "two"', 'three']],
  ['199 - "other"', []],
  ['299 - "unended', []],
])('Warning: %s', (header, want) => {
  expect(parseWarnings(header)).toEqual(want)
})
