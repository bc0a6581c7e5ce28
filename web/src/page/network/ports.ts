import type { KubeObject } from '../../api/object'
import { objectPath, type Resource } from '../../api/resource'

/** Port is a port of a Pod or Service. */
export interface Port {
  /** Its name in the spec; '' for none. */
  readonly name: string
  readonly number: number
  readonly protocol: string
  /** The scheme for browsers; null if the protocol is probably not for browsers. */
  readonly scheme: 'http' | 'https' | null
}

interface PortSpec {
  readonly name?: string
  readonly port?: number
  readonly containerPort?: number
  readonly protocol?: string
  readonly appProtocol?: string
}

interface Container {
  readonly ports?: readonly PortSpec[]
  readonly restartPolicy?: string
}

interface Spec {
  readonly type?: string
  readonly ports?: readonly PortSpec[]
  readonly containers?: readonly Container[]
  readonly initContainers?: readonly Container[]
}

/** others are protocols that browsers do not speak, as ports are named after them. */
const others = new Set(
  'amqp cassandra client cql dns dns-tcp election etcd ftp gossip grpc imap kafka kerberos ldap ldaps memcached mongo mongodb mqtt mysql nats nfs ntp peer pgsql postgres postgresql raft redis redis-sentinel rpc serf serf-tcp smtp ssh tcp telnet udp xds zookeeper'.split(
    ' ',
  ),
)

/** numbers are well-known ports of such protocols, whatever their names. */
const numbers = new Set([22, 25, 53, 389, 636, 1433, 2181, 2379, 2380, 3306, 4222, 5432, 5672, 6379, 9042, 9092, 9300, 11211, 26379, 27017])

/** schemeOf derives a port's scheme from its protocol, appProtocol, name and number. */
export function schemeOf(p: PortSpec): Port['scheme'] {
  if ((p.protocol ?? 'TCP') !== 'TCP') return null
  const [, said = ''] = /^(?:kubernetes\.io\/)?([^/]*)$/.exec((p.appProtocol ?? '').toLowerCase()) ?? []
  if (p.appProtocol) return said === 'http' || said === 'ws' ? 'http' : said === 'https' || said === 'wss' ? 'https' : null
  const name = (p.name ?? '').toLowerCase()
  const number = p.port ?? p.containerPort ?? 0
  if (name.startsWith('https')) return 'https'
  if (name.startsWith('http') || name.startsWith('web')) return 'http'
  if (others.has(name) || name.startsWith('tcp-') || name.startsWith('grpc') || numbers.has(number)) return null
  return number === 443 || number === 8443 ? 'https' : 'http'
}

/**
 * portsOf lists the ports of a Service, or of a Pod's long-running containers. A Service without
 * Pods has none.
 */
export function portsOf(o: KubeObject): Port[] {
  const spec = (o.spec ?? {}) as Spec
  const lasting = (spec.initContainers ?? []).filter((c) => c.restartPolicy === 'Always')
  const all = spec.ports ?? [...lasting, ...(spec.containers ?? [])].flatMap((c) => c.ports ?? [])
  if (spec.type === 'ExternalName') return []
  return all.map((p) => ({
    name: p.name ?? '',
    number: p.port ?? p.containerPort ?? 0,
    protocol: p.protocol ?? 'TCP',
    scheme: schemeOf(p),
  }))
}

/**
 * proxyPath is the path to a port through the server.
 *
 * Source: kubernetes v1.36 staging/src/k8s.io/apimachinery/pkg/util/net/port_split.go,
 * SplitSchemeNamePort
 */
export function proxyPath(r: Resource, namespace: string, name: string, p: Port): string {
  const id = `${p.scheme === 'https' ? 'https:' : ''}${name}:${p.number}`
  return `${objectPath(r, namespace, id, 'proxy').replaceAll('%3A', ':')}/`
}

/** forwardCommand is the command that forwards a port to the user's machine. */
export function forwardCommand(r: Resource, namespace: string, name: string, p: Port): string {
  const local = p.number < 1024 ? p.number + 8000 : p.number
  return `kubectl port-forward -n ${namespace} ${r.kind.toLowerCase()}/${name} ${local}:${p.number}`
}
