import { expect, test } from 'vitest'
import { referencesOf } from './config'

test('what a Pod template names is found once, with the fields that name it', () => {
  const found = referencesOf({
    serviceAccountName: 'robot',
    imagePullSecrets: [{ name: 'registry' }],
    initContainers: [{ name: 'prepare', envFrom: [{ configMapRef: { name: 'settings' } }] }],
    containers: [
      {
        name: 'main',
        env: [
          { name: 'KEY', valueFrom: { secretKeyRef: { name: 'keys', key: 'a' } } },
          { name: 'PLAIN', value: 'x' },
        ],
      },
    ],
    volumes: [
      { name: 'files', configMap: { name: 'settings' } },
      { name: 'data', persistentVolumeClaim: { claimName: 'data' } },
      { name: 'tmp', emptyDir: {} },
      { name: 'token', projected: { sources: [{ serviceAccountToken: {} }, { configMap: { name: 'kube-root-ca.crt' } }] } },
    ],
  })
  expect(found.map((r) => `${r.kind} ${r.name}: ${r.by.join(', ')}`)).toEqual([
    'ConfigMap settings: envFrom, volumes',
    'Secret keys: env',
    'Secret registry: imagePullSecrets',
    'ServiceAccount robot: serviceAccountName',
  ])
})

test('of the default ServiceAccount nothing is said', () => {
  expect(referencesOf({ serviceAccountName: 'default' })).toEqual([])
  expect(referencesOf({})).toEqual([])
})
