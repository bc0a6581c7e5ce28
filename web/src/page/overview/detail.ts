import type { ContainerStatus, Pod } from '../../api/pod'
import { conditionOf } from './objects'
import { isCrash, reasons } from './pods'
import { timeOf, type Why } from './problem'

/**
 * Detail is what a Pod shows about its problem and its row does not; `why` and `reason` are set if
 * they are more exact than the row's.
 */
export interface Detail {
  readonly why?: Why
  readonly reason?: string
  readonly message: string
  readonly exitCode: number | null
  /** When it began according to the Pod's conditions, in milliseconds. */
  readonly since: number | null
  /** The image that cannot be pulled, and the registry's reason in a few words. */
  readonly image?: string
  readonly refusal?: string
}

/** detailOf reads the detail of a Pod's problem. */
export function detailOf(pod: Pod, why: Why): Detail {
  const all = [...(pod.status?.initContainerStatuses ?? []), ...(pod.status?.containerStatuses ?? [])]
  if (why === 'unscheduled') return unscheduled(pod)
  if (why === 'notReady') return fromCondition(pod, 'Ready')
  const waiting = all.find((c) => c.state?.waiting?.reason !== undefined && c.state.waiting.reason in reasons)
  const ended = waiting ?? all.find((c) => endOf(c) !== undefined)
  const end = ended && endOf(ended)
  const message = waiting?.state?.waiting?.message ?? end?.message ?? pod.status?.message ?? ''
  const crashed = isCrash(why)
  const image = why === 'pull' || why === 'imageName' ? imageOf(pod, waiting?.name) : undefined
  const refusal = why === 'pull' ? refusalIn(message) : undefined
  return {
    ...(why === 'crash' && end?.reason === 'OOMKilled' ? { why: 'memory' } : {}),
    message,
    exitCode: crashed ? (end?.exitCode ?? null) : null,
    // A container that keeps crashing is ready in between, so the condition shows only the last crash.
    since: crashed ? null : timeOf(conditionOf(pod, 'Ready', 'False')?.lastTransitionTime),
    ...(image ? { image } : {}),
    ...(refusal ? { refusal } : {}),
  }
}

const imageOf = (pod: Pod, container: string | undefined): string | undefined =>
  [...(pod.spec?.initContainers ?? []), ...(pod.spec?.containers ?? [])].find((c) => c.name === container)?.image

/**
 * refusals are error texts of registries and container runtimes that are short enough to quote in a
 * sentence.
 */
const refusals = ['pull access denied', 'unauthorized', 'toomanyrequests', 'no such host', 'connection refused', 'i/o timeout', 'not found']

const refusalIn = (message: string): string | undefined => refusals.find((r) => message.includes(r))

/** endOf returns how a container last ended. */
const endOf = (c: ContainerStatus) => c.state?.terminated ?? c.lastState?.terminated

/**
 * unscheduled distinguishes Pods that fit no node from those that the scheduler has not tried yet.
 */
function unscheduled(pod: Pod): Detail {
  const c = conditionOf(pod, 'PodScheduled', 'False')
  const detail = fromCondition(pod, 'PodScheduled')
  return c?.reason === 'Unschedulable' ? { ...detail, why: 'unschedulable', reason: c.reason } : detail
}

function fromCondition(pod: Pod, type: string): Detail {
  const c = conditionOf(pod, type, 'False')
  return { message: c?.message ?? '', exitCode: null, since: timeOf(c?.lastTransitionTime) }
}
