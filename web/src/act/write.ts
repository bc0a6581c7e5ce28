import { send } from '../api/http'
import { objectPath, type Resource } from '../api/resource'
import type { Target } from './action'

/** Propagation is what happens to an object's dependents when it is deleted. */
export type Propagation = 'Background' | 'Foreground' | 'Orphan'

export const propagations: readonly Propagation[] = ['Background', 'Foreground', 'Orphan']

const pathOf = ({ resource, object: { metadata: m } }: Target, sub = ''): string => objectPath(resource, m.namespace ?? '', m.name, sub)

/** patch merges a change into the very object that was looked at: one of the same name that was made since is refused as a conflict. */
export async function patch(of: Target, change: { metadata?: object; spec?: object }): Promise<void> {
  const body = { ...change, metadata: { ...change.metadata, uid: of.object.metadata.uid } }
  await send(pathOf(of), { method: 'PATCH', type: 'application/merge-patch+json', body })
}

/** DeleteChoice holds the options of a deletion. */
export interface DeleteChoice {
  readonly propagation?: Propagation
  /** In seconds; undefined is as the object has it. */
  readonly grace?: number | undefined
  /** The version that must still be the newest; '' for any. */
  readonly resourceVersion?: string
}

/** deleteBody is what a DELETE says. */
export function deleteBody(uid: string, c: DeleteChoice): object {
  return {
    apiVersion: 'v1',
    kind: 'DeleteOptions',
    preconditions: { uid, ...(c.resourceVersion ? { resourceVersion: c.resourceVersion } : {}) },
    ...(c.propagation ? { propagationPolicy: c.propagation } : {}),
    ...(c.grace === undefined ? {} : { gracePeriodSeconds: c.grace }),
  }
}

/** remove deletes the very object that was looked at. */
export async function remove(of: Target, c: DeleteChoice): Promise<void> {
  await send(pathOf(of), { method: 'DELETE', body: deleteBody(of.object.metadata.uid, c) })
}

/** evict asks for a Pod to be deleted as far as its disruption budgets allow it; if not now, it is refused with 429. */
export async function evict(pods: Resource, pod: { name: string; namespace?: string; uid: string }, signal?: AbortSignal): Promise<void> {
  const { name, namespace = '', uid } = pod
  const body = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name, namespace }, deleteOptions: { preconditions: { uid } } }
  await send(objectPath(pods, namespace, name, 'eviction'), { method: 'POST', body, ...(signal ? { signal } : {}) })
}
