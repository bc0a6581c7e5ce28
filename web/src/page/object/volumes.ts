import type { Volume } from '../../api/pod'

/** VolumeView is a volume as a Pod's page lists it: its type, as the API names it, and the object behind it. */
export interface VolumeView {
  readonly name: string
  readonly type: string
  readonly detail: string
  readonly from: readonly Behind[]
}

/** Behind is an object that a volume shows. */
export interface Behind {
  readonly resource: string
  readonly kind: string
  readonly name: string
}

const claim = (name: string): Behind => ({ resource: 'persistentvolumeclaims', kind: 'PersistentVolumeClaim', name })
const configMap = (name: string): Behind => ({ resource: 'configmaps', kind: 'ConfigMap', name })
const secret = (name: string): Behind => ({ resource: 'secrets', kind: 'Secret', name })

interface Source {
  readonly claimName?: string
  readonly name?: string
  readonly secretName?: string
  readonly path?: string
  readonly medium?: string
  readonly sizeLimit?: string
  readonly driver?: string
  readonly server?: string
  readonly sources?: readonly {
    readonly configMap?: { readonly name?: string }
    readonly secret?: { readonly name?: string }
    readonly downwardAPI?: unknown
    readonly serviceAccountToken?: unknown
  }[]
}

/** volumeOf reads a volume of a Pod. A generic ephemeral volume has a claim that is named after the Pod. */
export function volumeOf(v: Volume, pod: string): VolumeView {
  const [type = '', source] = Object.entries(v).find(([key, value]) => key !== 'name' && typeof value === 'object') ?? []
  const s = (source ?? {}) as Source
  const is = (detail: string, ...from: Behind[]): VolumeView => ({ name: v.name, type, detail, from })
  switch (type) {
    case 'persistentVolumeClaim':
      return is('', claim(s.claimName ?? ''))
    case 'ephemeral':
      return is('', claim(`${pod}-${v.name}`))
    case 'configMap':
      return is('', configMap(s.name ?? ''))
    case 'secret':
      return is('', secret(s.secretName ?? ''))
    case 'projected':
      return { name: v.name, type, ...projected(s) }
    default:
      return is([s.server, s.path, s.driver, s.medium, s.sizeLimit].filter(Boolean).join(' '))
  }
}

function projected(s: Source): Pick<VolumeView, 'detail' | 'from'> {
  const from: Behind[] = []
  const others: string[] = []
  for (const one of s.sources ?? []) {
    if (one.configMap?.name) from.push(configMap(one.configMap.name))
    else if (one.secret?.name) from.push(secret(one.secret.name))
    else others.push(...Object.keys(one))
  }
  return { detail: others.join(', '), from }
}
