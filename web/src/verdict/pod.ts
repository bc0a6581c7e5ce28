import type { ContainerState, ContainerStatus, Pod } from '../api/pod'
import { parseAge } from '../page/table/key'
import type { State } from '../ui/state'
import type { Verdict } from './verdict'

const failures =
  /^(Error|Failed|OOMKilled|Evicted|DeadlineExceeded|ContainerStatusUnknown|Unknown|NodeLost|NodeShutdown|StartError|UnexpectedAdmissionError|NodeAffinity|OutOf.*|ExitCode:.*|Signal:.*)$/
const attempts = /(BackOff|^Err|Err(or)?$|^InvalidImageName$|^NotReady$)/
const starts = /^(ContainerCreating|PodInitializing|\d+\/\d+)$/

/**
 * PrintedPod is what kubectl prints of a Pod, and when it was printed, in milliseconds: restarts
 * are printed with the time since the last one.
 */
export interface PrintedPod {
  readonly status: string
  readonly ready: string
  readonly restarts: string
  readonly at: number
}

/**
 * podState returns the state of a Pod that is not being deleted, from what kubectl prints of it.
 * `now` is in milliseconds.
 */
export function podState(p: PrintedPod, now: number): State {
  const state = stateOfStatus(p.status, p.ready)
  if ((state !== 'ok' && state !== 'busy') || p.restarts === '0') return state
  return isLooping(lastRestart(p), now) ? 'warn' : state
}

/**
 * known caches the states of statuses other than Running: few different ones, and very many Pods.
 */
const known = new Map<string, State>()

function stateOfStatus(status: string, ready: string): State {
  if (status === 'Running') return isWhole(ready) ? 'ok' : 'busy'
  let state = known.get(status)
  if (state === undefined) {
    if (known.size > 1000) known.clear()
    state = stateOfReason(status)
    known.set(status, state)
  }
  return state
}

function stateOfReason(status: string): State {
  if (status === 'Completed' || status === 'Succeeded') return 'done'
  if (status === 'Terminating') return 'going'
  const reason = status.replace(/^Init:/, '')
  if (failures.test(reason)) return 'bad'
  if (starts.test(reason)) return 'busy'
  if (attempts.test(reason)) return 'warn'
  return status === 'Pending' || status === 'SchedulingGated' ? 'wait' : 'busy'
}

function isWhole(share: string): boolean {
  const slash = share.indexOf('/')
  return share.slice(0, slash) === share.slice(slash + 1)
}

/**
 * Restarts are how often containers have been restarted, and when the last of them ended, in
 * milliseconds; null if that is unknown.
 */
export interface Restarts {
  readonly n: number
  readonly last: number | null
}

/** lastRestart parses a cell such as "7 (8s ago)". */
export function lastRestart(p: Pick<PrintedPod, 'restarts' | 'at'>): Restarts {
  const [, n = '0', ago = ''] = /^(\d+)(?: \((\S+) ago\))?/.exec(p.restarts) ?? []
  const age = parseAge(ago)
  return { n: Number(n), last: age === null ? null : p.at - age }
}

/**
 * loopWindow is how long, in milliseconds, a container must run before the kubelet resets its
 * back-off: twice the longest back-off.
 *
 * Source: kubernetes v1.36 staging/src/k8s.io/client-go/util/flowcontrol/backoff.go, hasExpired; pkg/kubelet/kubelet.go, MaxCrashLoopBackOff
 */
export const loopWindow = 10 * 60_000

/**
 * isLooping reports whether containers keep restarting, even while they are running between two
 * crashes.
 */
export const isLooping = (r: Restarts, now: number): boolean => r.n >= 2 && r.last !== null && now - r.last < loopWindow

/** restartsOf counts a Pod's restarts as kubectl does: those of the containers that run now. */
function restartsOf(containers: readonly ContainerStatus[]): Restarts {
  const ends = containers.map((c) => Date.parse(c.lastState?.terminated?.finishedAt ?? '')).filter((t) => !Number.isNaN(t))
  return { n: containers.reduce((n, c) => n + (c.restartCount ?? 0), 0), last: ends.length > 0 ? Math.max(...ends) : null }
}

const ended = (t: NonNullable<ContainerState['terminated']>): string =>
  t.reason || (t.signal ? `Signal:${t.signal}` : `ExitCode:${t.exitCode}`)

/**
 * initWord returns why a Pod's init containers are not done; undefined if they are. Sidecars are
 * done once they have started.
 */
function initWord(pod: Pod): string | undefined {
  const specs = pod.spec?.initContainers ?? []
  const sidecar = (name: string) => specs.find((c) => c.name === name)?.restartPolicy === 'Always'
  const all = pod.status?.initContainerStatuses ?? []
  const i = all.findIndex((c) => c.state?.terminated?.exitCode !== 0 && !(sidecar(c.name) && c.started))
  const { terminated, waiting } = all[i]?.state ?? {}
  if (i < 0) return undefined
  if (terminated) return `Init:${ended(terminated)}`
  return waiting?.reason && waiting.reason !== 'PodInitializing' ? `Init:${waiting.reason}` : `Init:${i}/${specs.length}`
}

/** mainWord returns the status of a Pod's containers, or `reason` if they have none. */
function mainWord(pod: Pod, reason: string): string {
  const all = pod.status?.containerStatuses ?? []
  const running = all.some((c) => c.ready && c.state?.running)
  // The first container with a status decides.
  const said = all.map((c) => c.state?.waiting?.reason || (c.state?.terminated && ended(c.state.terminated))).find(Boolean) ?? reason
  if (said !== 'Completed') return said
  const failed = all.map((c) => c.state?.terminated).find((t) => t && t.exitCode !== 0)
  const ready = holds(pod, 'Ready')
  if (running && ready) return 'Running'
  return failed ? ended(failed) : running ? 'NotReady' : said
}

const holds = (pod: Pod, type: string): boolean => pod.status?.conditions?.some((c) => c.type === type && c.status === 'True') ?? false

/**
 * podWord returns what kubectl prints as a Pod's STATUS.
 *
 * Source: kubernetes v1.36 pkg/printers/internalversion/printers.go, printPod
 */
export function podWord(pod: Pod): string {
  const { phase = 'Pending', reason = '', conditions = [] } = pod.status ?? {}
  const gated = conditions.some((c) => c.type === 'PodScheduled' && c.reason === 'SchedulingGated')
  const init = initWord(pod)
  const word = init !== undefined && !holds(pod, 'Initialized') ? init : mainWord(pod, gated ? 'SchedulingGated' : reason || phase)
  if (pod.metadata.deletionTimestamp === undefined) return word
  if (reason === 'NodeLost') return 'Unknown'
  return phase === 'Succeeded' || phase === 'Failed' ? word : 'Terminating'
}

/** podVerdict returns the state of a whole Pod, as podState does for its row. */
export function podVerdict(pod: Pod, now: number): Verdict {
  const word = podWord(pod)
  if (pod.metadata.deletionTimestamp !== undefined) return { state: 'going', word }
  const main = pod.status?.containerStatuses ?? []
  const sidecars = (pod.spec?.initContainers ?? []).filter((c) => c.restartPolicy === 'Always').map((c) => c.name)
  const own = [...main, ...(pod.status?.initContainerStatuses ?? []).filter((c) => sidecars.includes(c.name))]
  const wanted = (pod.spec?.containers ?? main).length + sidecars.length
  const ready = own.filter((c) => c.ready && c.state?.running).length
  const state = stateOfStatus(word, `${ready}/${wanted}`)
  return { state: (state === 'ok' || state === 'busy') && isLooping(restartsOf(own), now) ? 'warn' : state, word }
}
