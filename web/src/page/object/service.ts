import type { KubeObject } from '../../api/object'

export interface Service extends KubeObject {
  readonly spec?: {
    readonly type?: string
    readonly clusterIP?: string
    readonly clusterIPs?: readonly string[]
    readonly externalName?: string
    readonly selector?: Readonly<Record<string, string>>
    readonly sessionAffinity?: string
    readonly externalTrafficPolicy?: string
    readonly internalTrafficPolicy?: string
    readonly ports?: readonly {
      readonly name?: string
      readonly port: number
      readonly targetPort?: number | string
      readonly nodePort?: number
      readonly protocol?: string
    }[]
  }
  readonly status?: { readonly loadBalancer?: { readonly ingress?: readonly { readonly ip?: string; readonly hostname?: string }[] } }
}

export interface EndpointSlice extends KubeObject {
  readonly addressType?: string
  readonly endpoints?: readonly {
    readonly addresses?: readonly string[]
    readonly conditions?: { readonly ready?: boolean; readonly serving?: boolean; readonly terminating?: boolean }
    readonly nodeName?: string
    readonly targetRef?: { readonly kind?: string; readonly name?: string }
  }[]
  readonly ports?: readonly { readonly name?: string; readonly port?: number; readonly protocol?: string }[]
}

/** Endpoint is an endpoint of a Service. */
export interface Endpoint {
  readonly addresses: string
  readonly ports: string
  readonly pod: string
  readonly node: string
  /** According to the endpoint's conditions. Without a ready condition it is ready. */
  readonly is: 'ready' | 'terminating' | 'unready'
}

/**
 * endpointsOf returns the endpoints of all slices of a Service, first those that get no requests.
 *
 * Source: kubernetes v1.36 staging/src/k8s.io/api/discovery/v1/types.go, EndpointConditions
 */
export function endpointsOf(slices: Iterable<EndpointSlice>): Endpoint[] {
  const out: Endpoint[] = []
  for (const s of slices) {
    const ports = (s.ports ?? []).map((p) => `${p.name ? `${p.name} ` : ''}${p.port ?? '*'}/${p.protocol ?? 'TCP'}`).join(', ')
    for (const e of s.endpoints ?? []) {
      const { ready = true, terminating = false } = e.conditions ?? {}
      out.push({
        addresses: (e.addresses ?? []).join(', '),
        ports,
        pod: e.targetRef?.kind === 'Pod' ? (e.targetRef.name ?? '') : '',
        node: e.nodeName ?? '',
        is: terminating ? 'terminating' : ready ? 'ready' : 'unready',
      })
    }
  }
  return out.sort((a, b) => Number(a.is === 'ready') - Number(b.is === 'ready') || (a.addresses < b.addresses ? -1 : 1))
}
