import type { DaemonSet } from '../../api/sets'
import type { State } from '../../ui/state'
import { daemonSetVerdict } from '../../verdict/sets'
import type { Node } from '../overview/objects'
import { naturalKey } from '../table/key'
import type { Mark } from '../tree/mark'
import type { Said } from './said'

/**
 * Spot is a node as a DaemonSet sees it: with its Pods there, usually one; two for a moment while
 * one replaces the other; or none.
 */
export interface Spot {
  readonly node: string
  readonly pods: readonly Mark[]
  /** The state of the Pod that stays. */
  readonly state: State
  /** The node's taints as kubectl describes them, since they may keep the Pod away. */
  readonly taints: readonly string[]
}

/** Layout says where a DaemonSet's Pods are. */
export interface Layout {
  readonly has: readonly Spot[]
  readonly lacks: readonly Spot[]
  /** Pods without a node. */
  readonly unbound: readonly Mark[]
}

/**
 * spotsOf arranges the Pods of a DaemonSet by node, those with problems first. A Pod on a deleted
 * node has a spot of its own.
 */
export function spotsOf(nodes: Iterable<Node>, pods: readonly Mark[]): Layout {
  const on = new Map<string, Mark[]>()
  const unbound: Mark[] = []
  for (const p of pods) {
    if (p.node === '') unbound.push(p)
    else on.set(p.node, [...(on.get(p.node) ?? []), p])
  }
  const taints = new Map<string, string[]>()
  for (const n of nodes) {
    const all = n.spec?.taints?.map((t) => `${t.key}${t.value ? `=${t.value}` : ''}:${t.effect}`)
    taints.set(n.metadata.name, all ?? [])
  }
  const spots = [...new Set([...taints.keys(), ...on.keys()])].map((node): Spot => {
    const here = on.get(node) ?? []
    const staying = here.find((p) => p.meta.deletionTimestamp === undefined) ?? here[0]
    return { node, pods: here, state: staying?.state ?? 'idle', taints: taints.get(node) ?? [] }
  })
  const key = new Map(spots.map((s) => [s, naturalKey(s.node)]))
  spots.sort((a, b) => Number(a.state === 'ok') - Number(b.state === 'ok') || ((key.get(a) ?? '') < (key.get(b) ?? '') ? -1 : 1))
  return { has: spots.filter((s) => s.pods.length > 0), lacks: spots.filter((s) => s.pods.length === 0), unbound }
}

/**
 * wordsOf describes a DaemonSet: what it lacks, or else the progress of its update. For `failing`
 * and `standing` see daemonSetVerdict.
 */
export function wordsOf(d: DaemonSet, failing: boolean, standing: number): Said {
  return { state: daemonSetVerdict(d, failing, standing).state, ...saidOf(d) }
}

function saidOf(d: DaemonSet): Omit<Said, 'state'> {
  const {
    desiredNumberScheduled: wanted = 0,
    currentNumberScheduled: there = 0,
    numberAvailable: available = 0,
    updatedNumberScheduled: updated = 0,
  } = d.status ?? {}
  if (wanted === 0) return { key: 'ds.nowhere', values: {} }
  if (there < wanted) return { key: 'ds.missing', values: { n: wanted - there, wanted } }
  if (updated < wanted) {
    const byHand = d.spec?.updateStrategy?.type === 'OnDelete'
    return { key: byHand ? 'sts.onDelete' : 'ds.updating', values: { updated, wanted } }
  }
  if (available < wanted) return { key: 'ds.becoming', values: { available, wanted } }
  return { key: 'ds.ready', values: { n: wanted } }
}
