import { expect, test } from 'vitest'
import { type Document, fieldAtPath, fieldsIn, kindSchema, type Schema } from './schema'

const ref = (name: string): Schema => ({ allOf: [{ $ref: `#/components/schemas/${name}` }] })
const d: Document = {
  components: {
    schemas: {
      'io.k8s.api.apps.v1.Deployment': {
        'x-kubernetes-group-version-kind': [{ group: 'apps', version: 'v1', kind: 'Deployment' }],
        properties: {
          apiVersion: { type: 'string', description: 'Its version.' },
          spec: { description: 'What is wanted.', ...ref('io.k8s.api.apps.v1.DeploymentSpec') },
        },
      },
      'io.k8s.api.apps.v1.DeploymentSpec': {
        type: 'object',
        description: 'Of all specs.',
        required: ['template'],
        properties: {
          paused: { type: 'boolean' },
          containers: { type: 'array', items: ref('io.k8s.api.core.v1.Container') },
          labels: { type: 'object', additionalProperties: { type: 'string' } },
          template: { type: 'object' },
          loop: ref('loop'),
          surge: { ...ref('io.k8s.apimachinery.pkg.util.intstr.IntOrString') },
        },
      },
      'io.k8s.api.core.v1.Container': {
        properties: { pullPolicy: { type: 'string', enum: ['Always', 'Never'] }, args: { type: 'array', items: { type: 'string' } } },
      },
      'io.k8s.apimachinery.pkg.util.intstr.IntOrString': { type: 'string', format: 'int-or-string' },
      loop: ref('loop'),
    },
  },
}
const root = kindSchema(d, 'apps', 'v1', 'Deployment') as Schema

test('a kind is found by its group, version and kind', () => {
  expect(root.properties?.spec).toBeDefined()
  expect(kindSchema(d, '', 'v1', 'Deployment')).toBeUndefined()
  expect(kindSchema({}, 'apps', 'v1', 'Deployment')).toBeUndefined()
})

test('the fields of a map: what is required first, with types as kubectl explain names them', () => {
  expect(fieldsIn(d, root, ['spec']).map((f) => `${f.name} ${f.type} ${f.shape} ${f.required}`)).toEqual([
    'template Object map true',
    'containers []Container list false',
    'labels map[string]string map false',
    'loop Object scalar false',
    'paused boolean scalar false',
    'surge IntOrString scalar false',
  ])
  expect(fieldsIn(d, root, ['spec', 'labels'])).toEqual([])
  expect(fieldsIn(d, root, ['nothing', 'there'])).toEqual([])
})

test.each([
  [['spec'], 'DeploymentSpec', 'What is wanted.', []],
  [['spec', 'paused'], 'boolean', '', ['true', 'false']],
  [['spec', 'containers', '[]', 'pullPolicy'], 'string', '', ['Always', 'Never']],
  [['spec', 'containers', '[]', 'args', '[]'], 'string', '', []],
  [['spec', 'labels', 'app'], 'string', '', []],
])('what the schema says of %j', (path, type, description, values) => {
  expect(fieldAtPath(d, root, path)).toMatchObject({ type, description, values })
})

test('a field that the schema does not know is not told', () => {
  expect(fieldAtPath(d, root, ['spec', 'nothing'])).toBeUndefined()
  expect(fieldAtPath(d, root, [])).toBeUndefined()
})
