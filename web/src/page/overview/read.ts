import type { Autoscaler } from '../../api/autoscaler'
import type { Budget } from '../../api/budget'
import type { Item } from '../../api/feed'
import type { Column, Row } from '../../api/form'
import type { KubeObject } from '../../api/object'
import { resources } from '../../api/resource'
import type { Controller, DaemonSet, StatefulSet } from '../../api/sets'
import { type Reading, type Selection, useObjects, useTable } from '../../api/use'
import type { ReplicaSet } from '../../api/workload'
import { route } from '../../route'
import type { Scheduled } from '../../verdict/job'
import type { Claim, Deployment, Job, Namespace, Node, Quota } from './objects'

type Objects<O extends KubeObject> = ReturnType<typeof useObjects<O>>

/** Cluster is everything that the overview reads. */
export interface Cluster {
  readonly pods: Reading<Row> & { readonly columns: readonly Column[] }
  readonly cronJobs: Objects<Scheduled>
  readonly deployments: Objects<Deployment>
  readonly sets: Objects<StatefulSet>
  readonly daemons: Objects<DaemonSet>
  readonly controllers: Objects<Controller>
  readonly budgets: Objects<Budget>
  readonly autoscalers: Objects<Autoscaler>
  readonly jobs: Objects<Job>
  readonly replicaSets: Objects<ReplicaSet>
  readonly nodes: Objects<Node>
  readonly namespaces: Objects<Namespace>
  readonly claims: Objects<Claim>
  readonly quotas: Objects<Quota>
}

function selection(id: string, namespace: string | undefined): Selection | null {
  const resource = resources.value.get(id)
  return resource ? { resource, ...(resource.namespaced ? { namespace } : {}) } : null
}

/**
 * useServed reads a kind that not every server serves; if it is not served, there is nothing to
 * wait for.
 */
function useServed<O extends KubeObject>(id: string, namespace: string | undefined): Objects<O> {
  const wanted = selection(id, namespace)
  const found = useObjects<O>(wanted)
  return wanted ? found : { ...found, phase: 'live' }
}

/**
 * useCluster reads the cluster, or the namespace in the address. Pods, which are many, are read as
 * table rows.
 */
export function useCluster(): Cluster {
  const ns = route.value.query.ns
  return {
    deployments: useObjects<Deployment>(selection('deployments.apps', ns)),
    nodes: useObjects<Node>(selection('nodes', ns)),
    replicaSets: useServed<ReplicaSet>('replicasets.apps', ns),
    pods: useTable(selection('pods', ns)),
    sets: useServed<StatefulSet>('statefulsets.apps', ns),
    daemons: useServed<DaemonSet>('daemonsets.apps', ns),
    controllers: useServed<Controller>('replicationcontrollers', ns),
    budgets: useServed<Budget>('poddisruptionbudgets.policy', ns),
    autoscalers: useServed<Autoscaler>('horizontalpodautoscalers.autoscaling', ns),
    jobs: useObjects<Job>(selection('jobs.batch', ns)),
    cronJobs: useObjects<Scheduled>(selection('cronjobs.batch', ns)),
    namespaces: useObjects<Namespace>(selection('namespaces', ns)),
    claims: useObjects<Claim>(selection('persistentvolumeclaims', ns)),
    quotas: useObjects<Quota>(selection('resourcequotas', ns)),
  }
}

/** changesOf counts the changes of all readings. */
export function changesOf(c: Cluster): number {
  return (Object.values(c) as Reading<Item>[]).reduce((sum, r) => sum + r.changed, 0)
}

/** useWarnings reads the warning Events, once `wanted`. */
export function useWarnings(wanted: boolean): Reading<Row> & { columns: readonly Column[] } {
  const s = selection('events', route.value.query.ns)
  return useTable(wanted && s ? { ...s, fields: 'type=Warning' } : null)
}
