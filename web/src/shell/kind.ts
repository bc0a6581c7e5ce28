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
    .filter((r) => r.verbs.includes('list'))
    .map((r) => ({ r, rank: rankOf(r, wanted) }))
    .filter(({ rank }) => rank < noRank)
    .sort((a, b) => a.rank - b.rank || (a.r.kind < b.r.kind ? -1 : 1))
    .map(({ r }) => r)
}

const noRank = 3

function rankOf(r: Resource, wanted: string): number {
  if (wanted === '' || r.shortNames.includes(wanted)) return 0
  if (r.id.startsWith(wanted) || r.kind.toLowerCase().startsWith(wanted)) return 1
  return r.id.includes(wanted) || r.kind.toLowerCase().includes(wanted) ? 2 : noRank
}
