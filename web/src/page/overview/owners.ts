import { controllerOf, type KubeObject, type Meta, type OwnerReference } from '../../api/object'
import { resourceId } from '../../api/resource'
import { type PodTemplate, type ReplicaSet, revisionOf } from '../../api/workload'
import type { About } from './problem'

/*
 * To which workload a Pod belongs: its ReplicaSet's Deployment, its Job's CronJob.
 */

/** Owners are the objects between Pods and the workloads at the top, by uid. */
export interface Owners {
  readonly sets: ReadonlyMap<string, ReplicaSet>
  readonly jobs: ReadonlyMap<string, KubeObject>
  /** The two newest revisions of each Deployment, by its uid. */
  readonly newest: ReadonlyMap<string, readonly ReplicaSet[]>
  /** The workloads that create Pods themselves, by uid. */
  readonly makers: ReadonlyMap<string, KubeObject>
}

/** ownersOf indexes them. `others` are StatefulSets, DaemonSets and the like. */
export function ownersOf(sets: Iterable<ReplicaSet>, jobs: Iterable<KubeObject>, others: Iterable<KubeObject> = []): Owners {
  const newest = new Map<string, ReplicaSet[]>()
  const all = [...sets]
  const ran = [...jobs]
  for (const set of all) {
    const owner = controllerOf(set.metadata)
    if (!owner) continue
    const two = [...(newest.get(owner.uid) ?? []), set].sort((a, b) => revisionOf(b) - revisionOf(a)).slice(0, 2)
    newest.set(owner.uid, two)
  }
  return {
    sets: new Map(all.map((s) => [s.metadata.uid, s])),
    jobs: new Map(ran.map((j) => [j.metadata.uid, j])),
    newest,
    makers: new Map([...all, ...ran, ...others].map((o) => [o.metadata.uid, o])),
  }
}

/** Root is the workload that a Pod belongs to. */
export interface Root {
  readonly uid: string
  readonly about: About
  /** Whether the Pod is of an older revision of a Deployment. */
  readonly old: boolean
  /** The revision of a Deployment before the newest. */
  readonly previous?: ReplicaSet
}

/** plurals are the resources of the kinds that have Pods. */
const plurals: Readonly<Record<string, string>> = {
  Deployment: 'deployments',
  ReplicaSet: 'replicasets',
  StatefulSet: 'statefulsets',
  DaemonSet: 'daemonsets',
  ReplicationController: 'replicationcontrollers',
  Job: 'jobs',
  CronJob: 'cronjobs',
}

function aboutOwner(o: OwnerReference, namespace: string | undefined): About | undefined {
  const plural = plurals[o.kind]
  const group = o.apiVersion.includes('/') ? (o.apiVersion.split('/')[0] ?? '') : ''
  return plural === undefined ? undefined : { resource: resourceId(plural, group), kind: o.kind, namespace, name: o.name }
}

/** rootOf finds it; undefined for a Pod without a known workload. */
export function rootOf(pod: Meta, owners: Owners): Root | undefined {
  const owner = controllerOf(pod)
  if (!owner) return undefined
  const between = owners.sets.get(owner.uid) ?? owners.jobs.get(owner.uid)
  const top = (between && controllerOf(between.metadata)) ?? owner
  const about = aboutOwner(top, pod.namespace)
  if (!about) return undefined
  const [newest, previous] = owners.newest.get(top.uid) ?? []
  const old = newest !== undefined && newest.metadata.uid !== owner.uid
  return { uid: top.uid, about, old, ...(previous ? { previous } : {}) }
}

/** templateOf returns the Pod template of a workload. */
export const templateOf = (o: KubeObject | undefined): PodTemplate | undefined =>
  (o?.spec as { readonly template?: PodTemplate } | undefined)?.template

/** imagesOf returns the images of a template. */
export function imagesOf(t: PodTemplate | undefined): string[] {
  const all = [...(t?.spec?.initContainers ?? []), ...(t?.spec?.containers ?? [])]
  return all.flatMap((c) => (c.image ? [c.image] : []))
}
