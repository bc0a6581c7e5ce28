import type { Item } from '../../api/feed'
import type { Column, Row } from '../../api/form'
import { resources } from '../../api/resource'
import { type Reading, type Selection, useObjects, useTable } from '../../api/use'
import { route } from '../../route'
import type { Claim, Deployment, Job, Namespace, Node, Quota } from './objects'

type Objects<O extends import('../../api/object').KubeObject> = ReturnType<typeof useObjects<O>>

/** Cluster is all that the overview reads. */
export interface Cluster {
  readonly pods: Reading<Row> & { readonly columns: readonly Column[] }
  readonly cronJobs: Reading<Row> & { readonly columns: readonly Column[] }
  readonly deployments: Objects<Deployment>
  readonly jobs: Objects<Job>
  readonly nodes: Objects<Node>
  readonly namespaces: Objects<Namespace>
  readonly claims: Objects<Claim>
  readonly quotas: Objects<Quota>
}

function selection(id: string, namespace: string | undefined): Selection | null {
  const resource = resources.value.get(id)
  return resource ? { resource, ...(resource.namespaced ? { namespace } : {}) } : null
}

/** useCluster reads it, of one namespace if the address names one. Pods, of which there are many, are read as rows of a table. */
export function useCluster(): Cluster {
  const ns = route.value.query.ns
  return {
    deployments: useObjects<Deployment>(selection('deployments.apps', ns)),
    nodes: useObjects<Node>(selection('nodes', ns)),
    pods: useTable(selection('pods', ns)),
    jobs: useObjects<Job>(selection('jobs.batch', ns)),
    cronJobs: useTable(selection('cronjobs.batch', ns)),
    namespaces: useObjects<Namespace>(selection('namespaces', ns)),
    claims: useObjects<Claim>(selection('persistentvolumeclaims', ns)),
    quotas: useObjects<Quota>(selection('resourcequotas', ns)),
  }
}

/** changesOf counts the changes of all readings. */
export function changesOf(c: Cluster): number {
  return (Object.values(c) as Reading<Item>[]).reduce((sum, r) => sum + r.changed, 0)
}

/** useWarnings reads the Events that warn; null while there is something more urgent to read. */
export function useWarnings(wanted: boolean): Reading<Row> & { columns: readonly Column[] } {
  const s = selection('events', route.value.query.ns)
  return useTable(wanted && s ? { ...s, fields: 'type=Warning' } : null)
}
