import { historyLabel, inOrder, ordinalOf, type StatefulSet, startOf } from '../../api/sets'
import { statefulSetVerdict } from '../../verdict/sets'
import { stuckAt } from '../overview/judgesets'
import type { Claim } from '../tree/around'
import { failing, type Mark } from '../tree/mark'
import type { Said } from './said'

/** ClaimSlot is a claim that the Pod of an ordinal mounts or will mount. */
export interface ClaimSlot {
  readonly name: string
  readonly claim?: Claim
}

/**
 * Place is an ordinal of a StatefulSet. wanted: it should have a Pod. condemned: it has a Pod but
 * is outside the wanted ordinals. kept: only its claims are left.
 */
export interface Place {
  readonly ordinal: number
  readonly name: string
  readonly role: 'wanted' | 'condemned' | 'kept'
  readonly pod?: Mark
  /** The revision number of its Pod; 0 if unknown. */
  readonly revision: number
  readonly claims: readonly ClaimSlot[]
}

/**
 * placesOf arranges a StatefulSet by ordinal: the wanted ones, leftovers, and the claims of each.
 */
export function placesOf(s: StatefulSet, pods: readonly Mark[], claims: readonly Claim[], numbers: ReadonlyMap<string, number>): Place[] {
  const set = s.metadata.name
  const start = startOf(s)
  const end = start + (s.spec?.replicas ?? 1)
  const templates = (s.spec?.volumeClaimTemplates ?? []).map((t) => t.metadata.name)
  const podAt = new Map(pods.map((p) => [ordinalOf(p.meta, set), p]))
  const byName = new Map(claims.map((c) => [c.metadata.name, c]))
  const ordinals = new Set<number>()
  for (let i = start; i < end; i++) ordinals.add(i)
  for (const i of podAt.keys()) if (i !== null) ordinals.add(i)
  for (const name of byName.keys()) {
    for (const template of templates) {
      const i = name.startsWith(`${template}-`) ? ordinalOf({ name: name.slice(template.length + 1) }, set) : null
      if (i !== null) ordinals.add(i)
    }
  }
  return [...ordinals]
    .sort((a, b) => a - b)
    .map((ordinal) => {
      const pod = podAt.get(ordinal)
      const wanted = ordinal >= start && ordinal < end
      const name = `${set}-${ordinal}`
      const slots = templates.map((template): ClaimSlot => {
        const claim = byName.get(`${template}-${name}`)
        return { name: `${template}-${name}`, ...(claim ? { claim } : {}) }
      })
      return {
        ordinal,
        name,
        role: wanted ? 'wanted' : pod ? 'condemned' : 'kept',
        ...(pod ? { pod } : {}),
        revision: numbers.get(pod?.meta.labels?.[historyLabel] ?? '') ?? 0,
        claims: wanted || pod ? slots : slots.filter((c) => c.claim),
      }
    })
}

/** Run is a range of similar, healthy ordinals, shown as one line. */
export interface Run {
  readonly first: Place
  readonly last: Place
  readonly n: number
}

const well = (p: Place): boolean =>
  p.role === 'wanted' && p.pod?.state === 'ok' && p.claims.every((c) => c.claim?.status?.phase === 'Bound')

/**
 * folded combines ranges of healthy ordinals into one line each if there are more places than
 * `most`, so that among thousands the others are visible. The first and last of a range are shown
 * beside it.
 */
export function folded(places: readonly Place[], most: number): (Place | Run)[] {
  if (places.length <= most) return [...places]
  const out: (Place | Run)[] = []
  for (let i = 0; i < places.length; ) {
    let end = i
    const first = places[i] as Place
    while (end < places.length && well(places[end] as Place) && (places[end] as Place).revision === first.revision) end++
    if (end - i < 4) {
      out.push(...places.slice(i, Math.max(end, i + 1)))
      i = Math.max(end, i + 1)
      continue
    }
    const middle = places.slice(i + 1, end - 1)
    out.push(first, { first: middle[0] as Place, last: middle.at(-1) as Place, n: middle.length }, places[end - 1] as Place)
    i = end
  }
  return out
}

/** wordsOf describes a StatefulSet: where it is waiting, or else the progress of its update. */
export function wordsOf(s: StatefulSet, places: readonly Place[]): Said {
  const members = places.flatMap((p) => (p.pod ? [p.pod] : []))
  return { state: statefulSetVerdict(s, failing(members)).state, ...saidOf(s, places, members) }
}

function saidOf(s: StatefulSet, places: readonly Place[], members: readonly Mark[]): Omit<Said, 'state'> {
  const wanted = s.spec?.replicas ?? 1
  const stuck = stuckAt(s, members)
  if (stuck) {
    const values = { ordinal: stuck.ordinal, name: `${s.metadata.name}-${stuck.ordinal}`, wanted }
    const ready = members.filter((m) => m.state === 'ok').length
    if (!inOrder(s)) return { key: 'sts.becoming', values: { ready, wanted } }
    return { key: stuck.member ? 'sts.waits' : 'sts.missing', values }
  }
  const condemned = places.filter((p) => p.role === 'condemned').length
  if (condemned > 0) return { key: 'sts.condemned', values: { n: condemned } }
  const { type, rollingUpdate } = s.spec?.updateStrategy ?? {}
  const old = s.status?.updateRevision !== undefined && s.status.updateRevision !== s.status.currentRevision
  const updated = s.status?.updatedReplicas ?? 0
  if (old && updated < wanted) {
    if (type === 'OnDelete') return { key: 'sts.onDelete', values: { updated, wanted } }
    const partition = rollingUpdate?.partition ?? 0
    // The partition is an index among the ordinals: upstream counts it from 0, whatever the first
    // ordinal.
    if (partition > 0 && updated >= wanted - partition) return { key: 'sts.partitioned', values: { partition, updated, wanted } }
    return { key: 'sts.updating', values: { updated, wanted } }
  }
  return wanted === 0 ? { key: 'sts.empty', values: {} } : { key: 'sts.ready', values: { n: wanted } }
}
