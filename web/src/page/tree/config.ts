import type { ContainerSpec, Volume } from '../../api/pod'
import { variablesOf } from '../object/containers'
import { volumeOf } from '../object/volumes'

/** Referenced is an object that a Pod template refers to, for configuration or rights. */
export interface Referenced {
  readonly resource: string
  readonly kind: string
  readonly name: string
  /** The fields of the Pod that refer to it, by their API names. */
  readonly by: readonly string[]
}

/** PodSpec holds the fields of a Pod template that refer to other objects. */
export interface PodSpec {
  readonly serviceAccountName?: string
  readonly imagePullSecrets?: readonly { readonly name?: string }[]
  readonly initContainers?: readonly ContainerSpec[]
  readonly containers?: readonly ContainerSpec[]
  readonly volumes?: readonly Volume[]
}

/**
 * rootCA is the ConfigMap that every Pod mounts with its token, so it says nothing about a
 * workload.
 */
const rootCA = 'kube-root-ca.crt'

/**
 * referencesOf returns the ConfigMaps and Secrets that configure a Pod, and its ServiceAccount if
 * it names one.
 */
export function referencesOf(spec: PodSpec): Referenced[] {
  const found = new Map<string, { resource: string; kind: string; name: string; by: Set<string> }>()
  const add = (resource: string, kind: string, name: string | undefined, by: string) => {
    if (!name || name === rootCA) return
    const key = `${resource}/${name}`
    const one = found.get(key) ?? { resource, kind, name, by: new Set() }
    found.set(key, one)
    one.by.add(by)
  }
  for (const c of [...(spec.initContainers ?? []), ...(spec.containers ?? [])]) {
    for (const { from } of variablesOf(c)) if (from) add(from.resource, from.kind, from.name, from.key === '' ? 'envFrom' : 'env')
  }
  for (const v of spec.volumes ?? []) {
    for (const { resource, kind, name } of volumeOf(v, '').from) {
      if (resource !== 'persistentvolumeclaims') add(resource, kind, name, 'volumes')
    }
  }
  for (const { name } of spec.imagePullSecrets ?? []) add('secrets', 'Secret', name, 'imagePullSecrets')
  if (spec.serviceAccountName !== 'default') add('serviceaccounts', 'ServiceAccount', spec.serviceAccountName, 'serviceAccountName')
  return [...found.values()].map((one) => ({ ...one, by: [...one.by] }))
}
