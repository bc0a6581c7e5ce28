import { signal } from '@preact/signals'
import { getJSON } from './http'

/** Resource is a kind as it is served. */
export interface Resource {
  /** Its name with its group, as the addresses and Rowlock's own operations have it: deployments.apps; of the core group: pods. */
  readonly id: string
  readonly group: string
  readonly version: string
  /** As it stands in the paths of the API: deployments. */
  readonly plural: string
  readonly kind: string
  readonly namespaced: boolean
  readonly verbs: readonly string[]
  readonly shortNames: readonly string[]
  readonly subresources: readonly string[]
}

/** apiVersion is what manifests of the kind begin with. */
export const apiVersion = (r: Resource): string => (r.group === '' ? r.version : `${r.group}/${r.version}`)

/** resourceId is the name of a kind with its group. */
export const resourceId = (plural: string, group: string): string => (group === '' ? plural : `${plural}.${group}`)

/** collectionPath is where the objects of a kind are: of one namespace, or of all for ''. */
export function collectionPath(r: Resource, namespace = ''): string {
  const root = r.group === '' ? `/api/${r.version}` : `/apis/${r.group}/${r.version}`
  const within = r.namespaced && namespace !== '' ? `/namespaces/${encodeURIComponent(namespace)}` : ''
  return `${root}${within}/${r.plural}`
}

/** objectPath is where one object is, or one of its subresources. */
export function objectPath(r: Resource, namespace: string, name: string, subresource = ''): string {
  return `${collectionPath(r, namespace)}/${encodeURIComponent(name)}${subresource === '' ? '' : `/${subresource}`}`
}

/** Discovery is the part that is used here of what the server says about its kinds. */
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

/** sameKinds says whether two sets of kinds are alike. */
export const sameKinds = (a: ReadonlyMap<string, Resource>, b: ReadonlyMap<string, Resource>): boolean =>
  JSON.stringify([...a]) === JSON.stringify([...b])

/**
 * loadResources asks the server for its kinds. As soon as they are known pages read their objects, so they are made known only when `ready` is
 * over.
 */
export async function loadResources(ready?: Promise<void>): Promise<void> {
  const asked = [getJSON<Discovery>('/api', { accept: discovery }), getJSON<Discovery>('/apis', { accept: discovery })]
  const [all] = await Promise.all([Promise.all(asked), ready])
  const found = new Map(all.flatMap(resourcesOf).map((r) => [r.id, r]))
  // Pages reload what depends on the kinds, so an unchanged list keeps its identity.
  if (!sameKinds(resources.peek(), found)) resources.value = found
}

/** resourceOfKind finds a kind by what its objects say of themselves, as owner references do. */
export function resourceOfKind(version: string, kind: string): Resource | undefined {
  const group = version.includes('/') ? (version.split('/')[0] ?? '') : ''
  for (const r of resources.value.values()) if (r.kind === kind && r.group === group) return r
  return undefined
}
