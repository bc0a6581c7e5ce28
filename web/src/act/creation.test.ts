import { beforeEach, expect, test } from 'vitest'
import { ApiError } from '../api/http'
import { type Resource, resources } from '../api/resource'
import { tryAll, wellChecked } from './creation'
import { readManifests } from './manifest'

const kind = (plural: string, kind: string, namespaced: boolean): Resource => ({
  id: plural,
  group: '',
  version: 'v1',
  plural,
  kind,
  namespaced,
  verbs: [],
  shortNames: [],
  subresources: [],
})

beforeEach(() => {
  resources.value = new Map([
    ['namespaces', kind('namespaces', 'Namespace', false)],
    ['configmaps', kind('configmaps', 'ConfigMap', true)],
  ])
})

const one = (kind: string, name: string, namespace = '') =>
  `apiVersion: v1\nkind: ${kind}\nmetadata:\n  name: ${name}\n${namespace && `  namespace: ${namespace}\n`}`

const text = [
  one('Namespace', 'new'),
  one('ConfigMap', 'a', 'new'),
  one('ConfigMap', 'b'),
  one('Gadget', 'c'),
  one('ConfigMap', 'd', 'gone'),
].join('---\n')

test('each manifest has its own outcome, in the order of the text', async () => {
  const asked: string[] = []
  const outcomes = await tryAll(readManifests(text).all, 'default', true, async (m, r, namespace) => {
    asked.push(`${r.plural} ${namespace}/${m.name}`)
    if (m.name === 'b') throw new ApiError({ reason: 'AlreadyExists', message: 'b exists' }, 409)
    if (namespace === 'new' || namespace === 'gone') throw new ApiError({ message: `namespaces "${namespace}" not found` }, 404)
    return {
      object: { metadata: { name: m.name, uid: '', resourceVersion: '', creationTimestamp: '' } },
      warnings: ['metadata.name: is short'],
    }
  })
  expect(asked).toEqual(['namespaces /new', 'configmaps new/a', 'configmaps default/b', 'configmaps gone/d'])
  expect(outcomes.map((o) => o.state)).toEqual(['checked', 'later', 'taken', 'unknown', 'refused'])
  expect(outcomes[0]?.problems.map((p) => [p.severity, p.field, p.message])).toEqual([['warning', 'metadata.name', 'is short']])
  expect(outcomes[4]?.problems.map((p) => p.message)).toEqual(['namespaces "gone" not found'])
  expect(wellChecked(outcomes)).toBe(false)
  expect(wellChecked(outcomes.slice(0, 2))).toBe(true)
})

test('a right that is missing is no problem of the text', async () => {
  const outcomes = await tryAll(readManifests(one('ConfigMap', 'a')).all, 'default', true, async () => {
    throw new ApiError({ reason: 'Forbidden', message: 'configmaps is forbidden' }, 403)
  })
  expect(outcomes.map((o) => [o.state, o.error?.code, o.problems])).toEqual([['refused', 403, []]])
})

test('what is created without being checked first is not put off', async () => {
  const [namespace, within] = readManifests(text).all
  const outcomes = await tryAll(namespace && within ? [namespace, within] : [], 'default', false, async (m) => {
    if (m.name === 'a') throw new ApiError({ message: 'namespaces "new" not found' }, 404)
    return { object: { metadata: { name: m.name, uid: '', resourceVersion: '', creationTimestamp: '' } }, warnings: [] }
  })
  expect(outcomes.map((o) => o.state)).toEqual(['created', 'refused'])
})
