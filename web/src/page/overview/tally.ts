import type { Row } from '../../api/form'
import type { State } from '../../ui/state'
import { type Places, podStateOf, text } from '../../verdict/row'

/** Tally is the number of objects in each state. */
export type Tally = Partial<Record<State, number>>

/** Counts are the tallies of Pods: in all, by namespace, and by node. */
export interface Counts {
  readonly all: Tally
  readonly namespaces: ReadonlyMap<string, Tally>
  readonly nodes: ReadonlyMap<string, Tally>
}

function add(to: Tally, state: State): void {
  to[state] = (to[state] ?? 0) + 1
}

function at(map: Map<string, Tally>, name: string): Tally {
  let found = map.get(name)
  if (!found) {
    found = {}
    map.set(name, found)
  }
  return found
}

/** countPods counts Pods, in one pass. `now` is in milliseconds. */
export function countPods(rows: Iterable<Row>, places: Places, now: number): Counts {
  const all: Tally = {}
  const namespaces = new Map<string, Tally>()
  const nodes = new Map<string, Tally>()
  for (const row of rows) {
    const state = podStateOf(row, places, now)
    add(all, state)
    add(at(namespaces, row.meta.namespace ?? ''), state)
    const node = text(row, places.node)
    if (node !== '' && node !== '<none>' && state !== 'done' && state !== 'bad') add(at(nodes, node), state)
  }
  return { all, namespaces, nodes }
}

/** tally counts states. */
export function tally(states: Iterable<State>): Tally {
  const out: Tally = {}
  for (const s of states) add(out, s)
  return out
}

/** totalOf returns the total of a tally. */
export function totalOf(t: Tally): number {
  return Object.values(t).reduce((sum, n) => sum + n, 0)
}
