import type { Condition, KubeObject } from '../../api/object'
import type { ContainerSpec, Pod } from '../../api/pod'
import { parseQuantity } from '../table/key'

export interface Taint {
  readonly key: string
  readonly value?: string
  readonly effect: string
}

export interface Node extends KubeObject {
  readonly spec?: {
    readonly unschedulable?: boolean
    readonly taints?: readonly Taint[]
    readonly podCIDR?: string
    readonly providerID?: string
  }
  readonly status?: {
    readonly capacity?: Readonly<Record<string, string>>
    readonly allocatable?: Readonly<Record<string, string>>
    readonly conditions?: readonly Condition[]
    readonly addresses?: readonly { readonly type: string; readonly address: string }[]
    readonly nodeInfo?: Readonly<Record<string, string>>
  }
}

/** taintText formats a taint as kubectl does. */
export const taintText = (t: Taint): string => `${t.key}${t.value ? `=${t.value}` : ''}:${t.effect}`

/** Share is how much of a node's resource its Pods request, and use if that is measured. */
export interface Share {
  readonly resource: string
  readonly requested: number
  readonly allocatable: number
}

const quantity = (text: string | undefined): number => parseQuantity(text ?? '') ?? 0

/**
 * requestOf returns a Pod's request of a resource: the sum of its containers and sidecars, or what
 * an init container needs together with the sidecars before it, if that is more.
 *
 * Source: kubernetes v1.36 staging/src/k8s.io/component-helpers/resource/helpers.go,
 * AggregateContainerRequests
 */
export function requestOf(pod: Pod, resource: string): number {
  const ask = (c: ContainerSpec) => quantity(c.resources?.requests?.[resource])
  let sidecars = 0
  let most = 0
  for (const c of pod.spec?.initContainers ?? []) {
    if (c.restartPolicy === 'Always') sidecars += ask(c)
    most = Math.max(most, c.restartPolicy === 'Always' ? sidecars : sidecars + ask(c))
  }
  const sum = (pod.spec?.containers ?? []).reduce((all, c) => all + ask(c), 0) + sidecars
  const overhead = (pod.spec as { overhead?: Readonly<Record<string, string>> } | undefined)?.overhead?.[resource]
  return Math.max(sum, most) + quantity(overhead)
}

/** over reports whether a Pod has ended, so that its requests no longer count. */
const over = (p: Pod): boolean => p.status?.phase === 'Succeeded' || p.status?.phase === 'Failed'

/** sharesOf returns the shares of all resources of a node: CPU, memory and Pods first. */
export function sharesOf(node: Node, pods: readonly Pod[]): Share[] {
  const allocatable = node.status?.allocatable ?? {}
  const running = pods.filter((p) => !over(p))
  const first = ['cpu', 'memory', 'pods']
  const names = [...first, ...Object.keys(allocatable).filter((r) => !first.includes(r))]
  return names
    .filter((r) => quantity(allocatable[r]) > 0)
    .map((resource) => ({
      resource,
      requested: resource === 'pods' ? running.length : running.reduce((sum, p) => sum + requestOf(p, resource), 0),
      allocatable: quantity(allocatable[resource]),
    }))
}
