import type { Resource } from '../api/resource'

/** titleOf is what a kind's table is called: CronJobs, Ingresses, NetworkPolicies. The names of kinds are not translated. */
export function titleOf(r: Resource): string {
  if (/(s|x|ch)$/.test(r.kind)) return /(ts|ics)$/.test(r.kind) ? r.kind : `${r.kind}es`
  return r.kind.endsWith('y') ? `${r.kind.slice(0, -1)}ies` : `${r.kind}s`
}

/**
 * findKinds lists the kinds that can be listed and whose name, short name or group holds the text, by name. Where the text is a short
 * name or begins a name, that kind comes first, so that `po` finds Pods as it does for kubectl.
 */
export function findKinds(all: readonly Resource[], text: string): Resource[] {
  const wanted = text.trim().toLowerCase()
  return all
    .filter((r) => r.verbs.includes('list') && r.id !== twin)
    .map((r) => ({ r, rank: rankOf(r, wanted) }))
    .filter(({ rank }) => rank < noRank)
    .sort((a, b) => a.rank - b.rank || compareKinds(a.r, b.r))
    .map(({ r }) => r)
}

/** twin is the second name under which Events are served: the same objects. */
const twin = 'events.events.k8s.io'

/** compareKinds orders kinds by their names, without regard to case. */
const compareKinds = (a: Resource, b: Resource): number =>
  a.kind.localeCompare(b.kind, 'en', { sensitivity: 'base' }) || (a.id < b.id ? -1 : 1)

/** groups are those in which kinds are listed, in this order. */
export const groups = ['workloads', 'network', 'config', 'storage', 'access', 'cluster', 'custom'] as const

export type Group = (typeof groups)[number]

const core: Readonly<Record<string, Group>> = {
  ...{ pods: 'workloads', podtemplates: 'workloads', replicationcontrollers: 'workloads' },
  ...{ services: 'network', endpoints: 'network' },
  ...{ configmaps: 'config', secrets: 'config', resourcequotas: 'config', limitranges: 'config' },
  ...{ persistentvolumes: 'storage', persistentvolumeclaims: 'storage', serviceaccounts: 'access' },
}

const byGroup: Readonly<Record<string, Group>> = {
  ...{ apps: 'workloads', batch: 'workloads', autoscaling: 'workloads', policy: 'workloads' },
  ...{ 'networking.k8s.io': 'network', 'discovery.k8s.io': 'network', 'gateway.networking.k8s.io': 'network' },
  ...{ 'storage.k8s.io': 'storage', 'snapshot.storage.k8s.io': 'storage' },
  ...{ 'rbac.authorization.k8s.io': 'access', 'certificates.k8s.io': 'access', 'authentication.k8s.io': 'access' },
}

/** groupOf is the group in which a kind is listed. */
export function groupOf(r: Resource): Group {
  if (r.group === '') return core[r.plural] ?? 'cluster'
  return byGroup[r.group] ?? (r.group.endsWith('.k8s.io') ? 'cluster' : 'custom')
}

/**
 * hintsOf is what stands beside a kind in the list: kubectl's short name, and the group of a custom
 * resource.
 */
export function hintsOf(r: Resource): { readonly short: string; readonly group: string } {
  return { short: r.shortNames[0] ?? '', group: groupOf(r) === 'custom' ? r.group : '' }
}

const noRank = 3

function rankOf(r: Resource, wanted: string): number {
  if (wanted === '' || r.shortNames.includes(wanted)) return 0
  if (r.id.startsWith(wanted) || r.kind.toLowerCase().startsWith(wanted)) return 1
  return r.id.includes(wanted) || r.kind.toLowerCase().includes(wanted) ? 2 : noRank
}
