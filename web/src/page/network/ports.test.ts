import { expect, test } from 'vitest'
import type { KubeObject } from '../../api/object'
import type { Resource } from '../../api/resource'
import { forwardCommand, portsOf, proxyPath, schemeOf } from './ports'

test.each([
  [{ port: 80 }, 'http'],
  [{ port: 443 }, 'https'],
  [{ port: 8443, name: 'web' }, 'http'],
  [{ port: 9000, name: 'https-admin' }, 'https'],
  [{ containerPort: 8080 }, 'http'],
  [{ port: 80, protocol: 'UDP' }, null],
  [{ port: 6379 }, null],
  [{ port: 7000, name: 'redis' }, null],
  [{ port: 7000, name: 'grpc-api' }, null],
  [{ port: 6379, name: 'http' }, 'http'],
  [{ port: 6379, appProtocol: 'HTTP' }, 'http'],
  [{ port: 80, appProtocol: 'kubernetes.io/h2c' }, null],
  [{ port: 80, appProtocol: 'kubernetes.io/wss' }, 'https'],
  [{ port: 80, appProtocol: 'example.com/http' }, null],
] as const)('what a browser speaks to %o: %s', (port, want) => {
  expect(schemeOf(port)).toBe(want)
})

const thing = (spec: unknown): KubeObject => ({
  metadata: { name: 'a', uid: '', resourceVersion: '1', creationTimestamp: '' },
  spec,
})

test('the ports of a Pod are those of the containers that stay', () => {
  const pod = thing({
    initContainers: [{ ports: [{ containerPort: 1 }] }, { restartPolicy: 'Always', ports: [{ containerPort: 15021, name: 'http' }] }],
    containers: [{ ports: [{ containerPort: 80 }] }, {}],
  })
  expect(portsOf(pod).map((p) => p.number)).toEqual([15021, 80])
  expect(portsOf(thing({ ports: [{ name: 'dns', port: 53, protocol: 'UDP' }] }))).toEqual([
    { name: 'dns', number: 53, protocol: 'UDP', scheme: null },
  ])
  expect(portsOf(thing({ type: 'ExternalName', ports: [{ port: 80 }] }))).toEqual([])
  expect(portsOf(thing(undefined))).toEqual([])
})

test('a port is reached through the proxy, or by a command', () => {
  const services = { group: '', version: 'v1', plural: 'services', kind: 'Service', namespaced: true } as Resource
  const port = { name: '', number: 443, protocol: 'TCP', scheme: 'https' } as const
  expect(proxyPath(services, 'shop', 'web', port)).toBe('/api/v1/namespaces/shop/services/https:web:443/proxy/')
  expect(proxyPath(services, 'shop', 'web', { ...port, scheme: 'http' })).toBe('/api/v1/namespaces/shop/services/web:443/proxy/')
  expect(forwardCommand(services, 'shop', 'web', port)).toBe('kubectl port-forward -n shop service/web 8443:443')
})
