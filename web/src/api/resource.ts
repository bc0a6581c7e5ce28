import { signal } from '@preact/signals'
import { getJSON } from './http'

/** Resource is a kind as the server serves it. */
export interface Resource {
  /**
   * Its name and group, as in addresses and Rowlock's own operations: deployments.apps, or pods for
   * the core group.
   */
  readonly id: string
  readonly group: string
  readonly version: string
  /** Its name in the paths of the API: deployments. */
  readonly plural: string
  readonly kind: string
  readonly namespaced: boolean
  readonly verbs: readonly string[]
  readonly shortNames: readonly string[]
  readonly subresources: readonly string[]
}

/** apiVersion is the apiVersion of the kind's manifests. */
export const apiVersion = (r: Resource): string => (r.group === '' ? r.version : `${r.group}/${r.version}`)

/** resourceId joins a kind's name and group. */
export const resourceId = (plural: string, group: string): string => (group === '' ? plural : `${plural}.${group}`)

/** collectionPath is the path of a kind's objects in one namespace, or in all for ''. */
export function collectionPath(r: Resource, namespace = ''): string {
  const root = r.group === '' ? `/api/${r.version}` : `/apis/${r.group}/${r.version}`
  const within = r.namespaced && namespace !== '' ? `/namespaces/${encodeURIComponent(namespace)}` : ''
  return `${root}${within}/${r.plural}`
}

/** objectPath is the path of an object or of one of its subresources. */
export function objectPath(r: Resource, namespace: string, name: string, subresource = ''): string {
  return `${collectionPath(r, namespace)}/${encodeURIComponent(name)}${subresource === '' ? '' : `/${subresource}`}`
}

/** Discovery holds the fields of aggregated discovery that are used here. */
export interface Discovery {
  readonly items: readonly {
    readonly metadata: { readonly name?: string }
    readonly versions: readonly {
      readonly version: string
      readonly resources?: readonly {
        readonly resource: string
        readonly responseKind?: { readonly kind?: string }
        readonly scope: string
        readonly verbs: readonly string[]
        readonly shortNames?: readonly string[]
        readonly subresources?: readonly { readonly subresource: string }[]
      }[]
    }[]
  }[]
}

/** resourcesOf lists the kinds, each in its group's preferred version. */
export function resourcesOf(d: Discovery): Resource[] {
  const found = new Map<string, Resource>()
  for (const g of d.items) {
    const group = g.metadata.name ?? ''
    for (const v of g.versions) {
      for (const r of v.resources ?? []) {
        const id = resourceId(r.resource, group)
        if (found.has(id)) continue // the preferred version comes first
        found.set(id, {
          id,
          group,
          version: v.version,
          plural: r.resource,
          kind: r.responseKind?.kind ?? r.resource,
          namespaced: r.scope === 'Namespaced',
          verbs: r.verbs,
          shortNames: r.shortNames ?? [],
          subresources: (r.subresources ?? []).map((s) => s.subresource),
        })
      }
    }
  }
  return [...found.values()]
}

/** resources are the kinds that the server serves, by id; empty until they are known. */
export const resources = signal<ReadonlyMap<string, Resource>>(new Map())

const discovery = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList'

/** sameKinds reports whether two sets of kinds are equal. */
export const sameKinds = (a: ReadonlyMap<string, Resource>, b: ReadonlyMap<string, Resource>): boolean =>
  JSON.stringify([...a]) === JSON.stringify([...b])

/**
 * loadResources reads the kinds from the server. Pages read their objects as soon as the kinds are
 * set, so they are set only after `ready`.
 */
export async function loadResources(ready?: Promise<void>): Promise<void> {
  const asked = [getJSON<Discovery>('/api', { accept: discovery }), getJSON<Discovery>('/apis', { accept: discovery })]
  const [all] = await Promise.all([Promise.all(asked), ready])
  const found = new Map(all.flatMap(resourcesOf).map((r) => [r.id, r]))
  // Pages reload when the kinds change, so an unchanged list keeps its identity.
  if (!sameKinds(resources.peek(), found)) resources.value = found
}

/** resourceOfKind finds a kind by apiVersion and kind, as in owner references. */
export function resourceOfKind(version: string, kind: string): Resource | undefined {
  const group = version.includes('/') ? (version.split('/')[0] ?? '') : ''
  for (const r of resources.value.values()) if (r.kind === kind && r.group === group) return r
  return undefined
}
