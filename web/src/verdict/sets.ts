import type { DaemonSet, StatefulSet } from '../api/sets'
import { terminating, type Verdict } from './verdict'

/** patience is how long, in milliseconds, a Pod may be missing before that is a problem. */
export const patience = 30_000

/** unobserved reports whether the controller has not yet observed the newest spec. */
const unobserved = (o: StatefulSet | DaemonSet): boolean =>
  (o.metadata.generation ?? 0) > (o.status?.observedGeneration ?? o.metadata.generation ?? 0)

/**
 * statefulSetVerdict returns the state of a StatefulSet. Pods of an older template are intended if
 * a partition holds them back, or if they are updated only when deleted. `failing` says that some
 * of its Pods fail.
 *
 * Source: kubernetes v1.36 staging/src/k8s.io/kubectl/pkg/polymorphichelpers/rollout_status.go, StatefulSetStatusViewer.Status
 */
export function statefulSetVerdict(s: StatefulSet, failing = false): Verdict {
  if (s.metadata.deletionTimestamp !== undefined) return terminating
  if (unobserved(s)) return { state: 'busy', word: 'Progressing' }
  const { replicas = 0, readyReplicas: ready = 0, updatedReplicas: updated = 0 } = s.status ?? {}
  const { type, rollingUpdate } = s.spec?.updateStrategy ?? {}
  const wanted = s.spec?.replicas ?? 1
  const toUpdate = type === 'OnDelete' ? 0 : wanted - (rollingUpdate?.partition ?? 0)
  if (ready >= wanted && updated >= toUpdate && replicas <= wanted) return { state: wanted === 0 ? 'idle' : 'ok', word: 'Ready' }
  return { state: failing ? 'warn' : 'busy', word: ready < wanted ? 'NotReady' : 'Progressing' }
}

/**
 * daemonSetVerdict returns the state of a DaemonSet. `failing` says that some of its Pods fail;
 * `standing` is how long, in milliseconds, the DaemonSet has not changed: when a node joins, a Pod
 * is missing until the controller has created it.
 *
 * Source: kubernetes v1.36 staging/src/k8s.io/kubectl/pkg/polymorphichelpers/rollout_status.go, DaemonSetStatusViewer.Status
 */
export function daemonSetVerdict(d: DaemonSet, failing = false, standing = 0): Verdict {
  if (d.metadata.deletionTimestamp !== undefined) return terminating
  if (unobserved(d)) return { state: 'busy', word: 'Progressing' }
  const {
    desiredNumberScheduled: wanted = 0,
    currentNumberScheduled: there = 0,
    numberAvailable: available = 0,
    updatedNumberScheduled: updated = 0,
  } = d.status ?? {}
  if (wanted === 0) return { state: 'idle', word: 'Available' }
  if (there < wanted) return { state: standing < patience ? 'busy' : 'bad', word: 'NotScheduled' }
  const rolled = d.spec?.updateStrategy?.type === 'OnDelete' || updated >= wanted
  if (rolled && available >= wanted) return { state: 'ok', word: 'Available' }
  return { state: failing ? 'warn' : 'busy', word: rolled ? 'NotAvailable' : 'Progressing' }
}
