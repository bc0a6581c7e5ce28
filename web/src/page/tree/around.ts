import type { Autoscaler } from '../../api/autoscaler'
import { type Budget, covers } from '../../api/budget'
import type { KubeObject } from '../../api/object'
import { type Selector, selects } from '../../api/selector'
import { type StatefulSet, startOf } from '../../api/sets'
import { type PodSpec, type Referenced, referencesOf } from './config'

/** Service holds the fields of a Service that the family shows. */
export interface Service extends KubeObject {
  readonly spec?: {
    readonly selector?: Readonly<Record<string, string>>
    readonly type?: string
    readonly clusterIP?: string
    readonly ports?: readonly { readonly port: number; readonly protocol?: string }[]
  }
}

/** Claim is a PersistentVolumeClaim. */
export interface Claim extends KubeObject {
  readonly status?: { readonly phase?: string; readonly capacity?: Readonly<Record<string, string>> }
}

/** Backend is a target of an Ingress. */
interface Backend {
  readonly service?: { readonly name?: string }
}

/** Ingress holds the fields of an Ingress that the family shows. */
export interface Ingress extends KubeObject {
  readonly spec?: {
    readonly defaultBackend?: Backend
    readonly rules?: readonly {
      readonly host?: string
      readonly http?: { readonly paths?: readonly { readonly backend?: Backend }[] }
    }[]
  }
}

/** Namespaced holds the objects of a namespace that may be connected with a workload. */
export interface Namespaced {
  readonly services: Iterable<Service>
  readonly ingresses: Iterable<Ingress>
  readonly budgets: Iterable<Budget>
  readonly autoscalers: Iterable<Autoscaler>
  readonly claims: Iterable<Claim>
}

/** Around holds the objects that are connected with a workload but not created by it. */
export interface Around {
  readonly services: readonly Service[]
  /** The Ingresses that send requests to these Services. */
  readonly ingresses: readonly Ingress[]
  readonly budgets: readonly Budget[]
  readonly autoscalers: readonly Autoscaler[]
  readonly claims: readonly Claim[]
  readonly references: readonly Referenced[]
  /**
   * The Service that a StatefulSet names for its Pods' DNS names and that does not exist; '' if
   * there is no such problem.
   */
  readonly missing: string
}

interface Template {
  readonly metadata?: { readonly labels?: Readonly<Record<string, string>> }
  readonly spec?: PodSpec
}

/** templateOf returns the Pod template of a workload; a Pod is its own. */
export function templateOf(kind: string, o: KubeObject): Template {
  const spec = o.spec as { template?: Template; jobTemplate?: { spec?: { template?: Template } } } | undefined
  if (kind === 'Pod') return o as Template
  return (kind === 'CronJob' ? spec?.jobTemplate?.spec?.template : spec?.template) ?? {}
}

/**
 * claimNames returns the PersistentVolumeClaims that a workload's Pods mount: those in the
 * template, and those that a StatefulSet creates for its ordinals.
 *
 * Source: kubernetes v1.36 pkg/controller/statefulset/stateful_set_utils.go, getPersistentVolumeClaimName
 */
export function claimNames(kind: string, o: KubeObject): Set<string> {
  const names = (templateOf(kind, o).spec?.volumes ?? []).flatMap(
    (v) => (v.persistentVolumeClaim as { claimName: string } | undefined)?.claimName ?? [],
  )
  if (kind !== 'StatefulSet') return new Set(names)
  const s = o as StatefulSet
  for (const { metadata } of s.spec?.volumeClaimTemplates ?? []) {
    for (let i = 0; i < (s.spec?.replicas ?? 1); i++) names.push(`${metadata.name}-${o.metadata.name}-${startOf(s) + i}`)
  }
  return new Set(names)
}

const byName = <O extends KubeObject>(all: Iterable<O>, fits: (o: O) => boolean): O[] =>
  [...all].filter(fits).sort((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1))

/**
 * serves reports whether a Service sends requests to Pods with these labels. Without a selector it
 * does not by itself.
 */
function serves(s: Service, labels: Readonly<Record<string, string>> | undefined): boolean {
  const wanted: Selector = { matchLabels: s.spec?.selector ?? {} }
  return Object.keys(wanted.matchLabels ?? {}).length > 0 && selects(wanted, labels)
}

/** routes returns the names of the Services to which an Ingress sends requests. */
function routes({ spec = {} }: Ingress): Set<string> {
  const backends = [spec.defaultBackend, ...(spec.rules ?? []).flatMap((r) => (r.http?.paths ?? []).map((p) => p.backend))]
  return new Set(backends.flatMap((b) => b?.service?.name ?? []))
}

/**
 * aroundOf finds the objects connected with a workload: by its Pods' labels, by name, and by the
 * targets of autoscalers.
 */
export function aroundOf(kind: string, o: KubeObject, all: Namespaced): Around {
  const template = templateOf(kind, o)
  const labels = template.metadata?.labels
  const names = claimNames(kind, o)
  const service = kind === 'StatefulSet' ? ((o as StatefulSet).spec?.serviceName ?? '') : ''
  const services = byName(all.services, (s) => s.metadata.name === service || serves(s, labels))
  const target = (h: Autoscaler) => h.spec?.scaleTargetRef.kind === kind && h.spec.scaleTargetRef.name === o.metadata.name
  return {
    services,
    ingresses: byName(all.ingresses, (i) => services.some((s) => routes(i).has(s.metadata.name))),
    budgets: byName(all.budgets, (b) => covers(b, labels)),
    autoscalers: byName(all.autoscalers, target),
    claims: byName(all.claims, (c) => names.has(c.metadata.name)),
    references: referencesOf(template.spec ?? {}),
    missing: services.some((s) => s.metadata.name === service) ? '' : service,
  }
}
