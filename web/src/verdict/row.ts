import type { Column, Row } from '../api/form'
import { controllerOf, type Meta } from '../api/object'
import { hashLabel } from '../api/workload'
import type { State } from '../ui/state'
import { podState } from './pod'

/** Places are the positions of the cells in rows of Pods that are read here. */
export interface Places {
  readonly ready: number
  readonly status: number
  readonly restarts: number
  readonly node: number
}

/** placesOf finds them among the columns of the table of Pods; null until those are known. */
export function placesOf(columns: readonly Column[]): Places | null {
  const at = (name: string) => columns.findIndex((c) => c.name === name)
  return columns.length === 0 ? null : { ready: at('Ready'), status: at('Status'), restarts: at('Restarts'), node: at('Node') }
}

/** text returns a cell as text. */
export const text = (row: Row, place: number): string => String(row.cells[place] ?? '')

/** podStateOf returns the state of a Pod from its row. `now` is in milliseconds. */
export function podStateOf(row: Row, at: Places, now: number): State {
  if (row.meta.deletionTimestamp !== undefined) return 'going'
  return podState({ status: text(row, at.status), ready: text(row, at.ready), restarts: text(row, at.restarts), at: row.printed }, now)
}

/**
 * deploymentOf returns the name of the Deployment that a Pod belongs to, undefined if there is
 * none. The controller names a ReplicaSet after its Deployment and the hash of its template.
 *
 * Source: kubernetes v1.36 pkg/controller/deployment/sync.go, getNewReplicaSet
 */
export function deploymentOf(pod: Meta): string | undefined {
  const owner = controllerOf(pod)
  const end = `-${pod.labels?.[hashLabel] ?? ''}`
  return owner?.kind === 'ReplicaSet' && end !== '-' && owner.name.endsWith(end) ? owner.name.slice(0, -end.length) : undefined
}

/** Failing is the set of workloads with failing Pods: see isFailing. */
export type Failing = ReadonlySet<string>

const deploymentKey = (namespace: string | undefined, name: string): string => `${namespace ?? ''}/${name}`

/** failingOf finds them among the rows of Pods, in one pass. */
export function failingOf(rows: Iterable<Row>, at: Places, now: number): Failing {
  const out = new Set<string>()
  for (const row of rows) {
    const owner = controllerOf(row.meta)
    if (!owner) continue
    const state = podStateOf(row, at, now)
    if (state !== 'warn' && state !== 'bad') continue
    out.add(owner.uid)
    const deployment = deploymentOf(row.meta)
    if (deployment !== undefined) out.add(deploymentKey(row.meta.namespace, deployment))
  }
  return out
}

/** isFailing reports whether some Pods of a workload are failing. */
export const isFailing = (all: Failing, resource: string, o: Meta): boolean =>
  all.has(resource === 'deployments.apps' ? deploymentKey(o.namespace, o.name) : o.uid)
