import { controllerOf, type KubeObject } from '../api/object'

/** DrainPod holds the fields of a Pod that a drain reads. */
export interface DrainPod extends KubeObject {
  readonly spec?: { readonly volumes?: readonly { readonly emptyDir?: object }[] }
  readonly status?: { readonly phase?: string }
}

/** Permission says which losses a drain may cause. */
export interface Permission {
  /** Evict Pods without a controller. */
  readonly unmanaged: boolean
  /** Evict Pods even though the data in their emptyDir volumes will be lost. */
  readonly emptyDir: boolean
}

/** Verdict is what a drain does with a Pod: evict it, or leave it for a reason. */
export type Verdict = 'evict' | 'daemonset' | 'mirror' | 'going' | 'unmanaged' | 'emptyDir'

/**
 * verdictOf decides what a drain does with a Pod.
 *
 * Source: kubernetes v1.36 staging/src/k8s.io/kubectl/pkg/drain/filters.go
 * Differs: a Pod that may not be evicted stays and is listed. kubectl refuses to start instead,
 * because it could not show what is left.
 */
export function verdictOf(pod: DrainPod, may: Permission): Verdict {
  const m = pod.metadata
  const finished = pod.status?.phase === 'Succeeded' || pod.status?.phase === 'Failed'
  const owner = controllerOf(m)
  if (m.annotations?.['kubernetes.io/config.mirror'] !== undefined) return 'mirror'
  if (m.deletionTimestamp !== undefined) return 'going'
  if (finished) return 'evict'
  if (owner?.kind === 'DaemonSet') return 'daemonset'
  if (!owner && !may.unmanaged) return 'unmanaged'
  if (!may.emptyDir && pod.spec?.volumes?.some((v) => v.emptyDir !== undefined)) return 'emptyDir'
  return 'evict'
}

/** Plan groups all Pods of a node by verdict. */
export type Plan = Readonly<Record<Verdict, readonly DrainPod[]>>

/** planDrain groups the Pods of a node by verdict. */
export function planDrain(pods: Iterable<DrainPod>, may: Permission): Plan {
  const plan: Record<Verdict, DrainPod[]> = { evict: [], daemonset: [], mirror: [], going: [], unmanaged: [], emptyDir: [] }
  for (const pod of pods) plan[verdictOf(pod, may)].push(pod)
  return plan
}
