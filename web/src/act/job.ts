import type { Request } from '../api/http'
import { send } from '../api/http'
import type { KubeObject } from '../api/object'
import { collectionPath, objectPath, type Resource } from '../api/resource'
import type { CronJob } from '../page/job/kinds'

/** manual is the annotation of Jobs that a person created from a CronJob. */
const manual = 'cronjob.kubernetes.io/instantiate'

/**
 * jobOf returns the Job that the CronJob would start now.
 *
 * Source: kubernetes v1.36 staging/src/k8s.io/kubectl/pkg/cmd/create/create_job.go,
 * createJobFromCronJob
 * Differs: the server generates the suffix of the name.
 */
export function jobOf(c: CronJob): object {
  const { metadata = {}, spec } = c.spec.jobTemplate
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: {
      generateName: `${c.metadata.name.slice(0, 50)}-manual-`,
      namespace: c.metadata.namespace,
      labels: metadata.labels,
      annotations: { ...metadata.annotations, [manual]: 'manual' },
      ownerReferences: [{ apiVersion: 'batch/v1', kind: 'CronJob', name: c.metadata.name, uid: c.metadata.uid, controller: true }],
    },
    spec,
  }
}

/** runNow starts a Job of a CronJob now, and returns it. */
export async function runNow(jobs: Resource, c: CronJob): Promise<KubeObject> {
  const answer = await send(collectionPath(jobs, c.metadata.namespace), { method: 'POST', body: jobOf(c) })
  return (await answer.json()) as KubeObject
}

/** suspension is the patch that suspends or resumes a Job or CronJob. */
export function suspension(suspend: boolean): Request {
  return { method: 'PATCH', type: 'application/merge-patch+json', body: { spec: { suspend } } }
}

/** setSuspended suspends or resumes a Job or CronJob. */
export async function setSuspended(resource: Resource, o: KubeObject, suspend: boolean): Promise<void> {
  await send(objectPath(resource, o.metadata.namespace ?? '', o.metadata.name), suspension(suspend))
}
