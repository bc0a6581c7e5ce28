import { getJSON } from '../api/http'
import type { KubeObject } from '../api/object'
import { objectPath, type Resource } from '../api/resource'
import type { Revision } from '../api/sets'
import { type Deployment, hashLabel, type PodTemplate, type ReplicaSet } from '../api/workload'

/** Act is a request that changes a workload. */
export interface Act {
  readonly path: string
  readonly method: 'PATCH'
  readonly type: string
  readonly body: unknown
}

/** Refusal is why something is not even asked for: a name for the words of it. */
export type Refusal = 'paused' | 'same' | 'unknown'

const merge = 'application/merge-patch+json'
const strategic = 'application/strategic-merge-patch+json'
const jsonPatch = 'application/json-patch+json'

const pathOf = (r: Resource, o: KubeObject, subresource = ''): string =>
  objectPath(r, o.metadata.namespace ?? '', o.metadata.name, subresource)

/** scale asks for another number of replicas. */
export function scale(r: Resource, o: KubeObject, replicas: number): Act {
  return { path: pathOf(r, o, 'scale'), method: 'PATCH', type: merge, body: { spec: { replicas } } }
}

/**
 * pause stops a Deployment's rollout, or lets it go on.
 *
 * Source: kubernetes v1.36 staging/src/k8s.io/kubectl/pkg/polymorphichelpers/objectpauser.go, objectresumer.go
 */
export function pause(r: Resource, o: Deployment, paused: boolean): Act {
  return { path: pathOf(r, o), method: 'PATCH', type: merge, body: { spec: { paused: paused ? true : null } } }
}

/** restartedKey is what kubectl rollout restart writes into the template. */
const restartedKey = 'kubectl.kubernetes.io/restartedAt'

/**
 * restart replaces all Pods by ones of the same template. The time is the cluster's, in milliseconds.
 *
 * Source: kubernetes v1.36 staging/src/k8s.io/kubectl/pkg/polymorphichelpers/objectrestarter.go
 */
export function restart(r: Resource, o: KubeObject, now: number): Act | Refusal {
  if ((o as Deployment).spec?.paused) return 'paused'
  const at = new Date(now).toISOString().replace(/\.\d+Z$/, 'Z')
  const template = { metadata: { annotations: { [restartedKey]: at } } }
  return { path: pathOf(r, o), method: 'PATCH', type: merge, body: { spec: { template } } }
}

/** setImage has a container run another image. */
export function setImage(r: Resource, o: Deployment, container: string, image: string): Act | Refusal {
  const now = o.spec.template.spec?.containers?.find((c) => c.name === container)
  if (!now) return 'unknown'
  if (now.image === image) return 'same'
  const template = { spec: { containers: [{ name: container, image }] } }
  return { path: pathOf(r, o), method: 'PATCH', type: strategic, body: { spec: { template } } }
}

/** own are the annotations of a Deployment that an undo leaves as they are; all others come from the ReplicaSet. */
const own = [
  'kubectl.kubernetes.io/last-applied-configuration',
  'deployment.kubernetes.io/revision',
  'deployment.kubernetes.io/revision-history',
  'deployment.kubernetes.io/desired-replicas',
  'deployment.kubernetes.io/max-replicas',
  'deprecated.deployment.rollback.to',
]

/** templateOf is a ReplicaSet's template as its Deployment has it: without the hash that the Deployment's controller adds. */
export function templateOf(t: PodTemplate): PodTemplate {
  const { [hashLabel]: _, ...labels } = t.metadata?.labels ?? {}
  return { ...t, metadata: { ...t.metadata, labels } }
}

/**
 * undo takes a Deployment back to the template of one of its revisions.
 *
 * Source: kubernetes v1.36 staging/src/k8s.io/kubectl/pkg/polymorphichelpers/rollback.go, DeploymentRollbacker.Rollback, getDeploymentPatch
 */
export function undo(r: Resource, o: Deployment, to: ReplicaSet): Act | Refusal {
  if (o.spec.paused) return 'paused'
  const template = templateOf(to.spec.template)
  if (same(template, templateOf(o.spec.template))) return 'same'
  const annotations: Record<string, string> = {}
  for (const [key, value] of Object.entries(o.metadata.annotations ?? {})) if (own.includes(key)) annotations[key] = value
  for (const [key, value] of Object.entries(to.metadata.annotations ?? {})) if (!own.includes(key)) annotations[key] = value
  const body = [
    { op: 'replace', path: '/spec/template', value: template },
    { op: 'replace', path: '/metadata/annotations', value: annotations },
  ]
  return { path: pathOf(r, o), method: 'PATCH', type: jsonPatch, body }
}

/**
 * restore takes a StatefulSet or a DaemonSet back to one of its revisions, which is kept as the patch that leads there.
 *
 * Source: kubernetes v1.36 staging/src/k8s.io/kubectl/pkg/polymorphichelpers/rollback.go, StatefulSetRollbacker.Rollback, DaemonSetRollbacker.Rollback
 */
export function restore(r: Resource, o: KubeObject, to: Revision): Act | Refusal {
  const template = (o.spec as { template?: PodTemplate } | undefined)?.template ?? {}
  const { $patch: _, ...wanted } = (to.data?.spec?.template ?? {}) as PodTemplate & { $patch?: string }
  if (same(template, wanted)) return 'same'
  return { path: pathOf(r, o), method: 'PATCH', type: strategic, body: to.data }
}

/** same compares two values as JSON has them, whatever the order of their fields. */
export function same(a: unknown, b: unknown): boolean {
  if (a === b) return true
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null || Array.isArray(a) !== Array.isArray(b)) return false
  const [x, y] = [Object.entries(a).filter(([, v]) => v !== undefined), b as Record<string, unknown>]
  const there = Object.values(y).filter((v) => v !== undefined).length
  return x.length === there && x.every(([key, value]) => Object.hasOwn(y, key) && same(value, y[key]))
}

/** send asks the server. It throws ApiError where the server refuses. */
export async function send(a: Act): Promise<KubeObject> {
  return await getJSON<KubeObject>(a.path, { method: a.method, type: a.type, body: a.body })
}
