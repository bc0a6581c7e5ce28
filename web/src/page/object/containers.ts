import type { ContainerSpec, ContainerState, ContainerStatus, EnvFrom, EnvVar, Pod, Probe } from '../../api/pod'
import type { Key } from '../../i18n'
import type { State } from '../../ui/state'
import { parseAge } from '../table/key'

/*
 * What a Pod's page says of its containers, decided from the Pod as it is.
 */

/**
 * Role is the type of a container: init container, sidecar, main container, or ephemeral container.
 */
export type Role = 'init' | 'sidecar' | 'main' | 'ephemeral'

/** ContainerView is a container as shown by its card. */
export interface ContainerView {
  readonly role: Role
  readonly spec: ContainerSpec
  readonly status: ContainerStatus | undefined
  readonly state: State
  /**
   * The state in Kubernetes' words: Running, CrashLoopBackOff, Completed; '' before the kubelet
   * reports one.
   */
  readonly word: string
}

/** containersOf returns a Pod's containers in the order in which they start. */
export function containersOf(pod: Pod): ContainerView[] {
  const { spec = {}, status = {} } = pod
  const found = new Map(
    [...(status.initContainerStatuses ?? []), ...(status.containerStatuses ?? []), ...(status.ephemeralContainerStatuses ?? [])].map(
      (s) => [s.name, s],
    ),
  )
  const view = (role: Role) => (c: ContainerSpec) => viewOf(role, c, found.get(c.name))
  return [
    ...(spec.initContainers ?? []).map((c) => view(c.restartPolicy === 'Always' ? 'sidecar' : 'init')(c)),
    ...(spec.containers ?? []).map(view('main')),
    ...(spec.ephemeralContainers ?? []).map(view('ephemeral')),
  ]
}

const viewOf = (role: Role, spec: ContainerSpec, status: ContainerStatus | undefined): ContainerView => ({
  role,
  spec,
  status,
  state: stateOfContainer(status, role),
  word: wordOf(status?.state),
})

/** wordOf returns the name of a state in kubectl describe. */
export function wordOf(s: ContainerState | undefined): string {
  if (s?.waiting) return s.waiting.reason ?? 'Waiting'
  if (s?.running) return 'Running'
  return s?.terminated ? (s.terminated.reason ?? 'Terminated') : ''
}

function stateOfContainer(s: ContainerStatus | undefined, role: Role): State {
  const { waiting, running, terminated } = s?.state ?? {}
  if (terminated) return terminated.exitCode === 0 ? 'done' : 'bad'
  if (running) return s?.ready || role === 'init' || role === 'ephemeral' ? (role === 'init' ? 'busy' : 'ok') : 'busy'
  if (!waiting) return 'wait'
  return /^(ContainerCreating|PodInitializing)$/.test(waiting.reason ?? '') ? 'wait' : 'warn'
}

/** Sentence describes the state of a Pod. */
export interface Sentence {
  readonly key: Key
  readonly values: Readonly<Record<string, string | number>>
  /** The cluster's own message; '' for none. */
  readonly detail: string
  /**
   * The container that failed, whose last log lines are worth reading; undefined if none has run.
   */
  readonly container?: string
}

/**
 * blamed returns the container that keeps a Pod from being healthy: the first that is waiting with
 * an error, has failed, or is not ready.
 */
function blamed(all: readonly ContainerView[]): ContainerView | undefined {
  const own = all.filter((c) => c.role !== 'ephemeral')
  return own.find((c) => c.state === 'warn') ?? own.find((c) => c.state === 'bad') ?? own.find((c) => c.state === 'busy')
}

const pulls = /^(ErrImagePull|ImagePullBackOff|ErrImageNeverPull|InvalidImageName|RegistryUnavailable|ImageInspectError)$/

/**
 * sentenceOf describes in one sentence the state of a Pod and its problem. `now` is in
 * milliseconds.
 */
export function sentenceOf(pod: Pod, now: number): Sentence {
  const all = containersOf(pod)
  const { phase = 'Pending', reason = '', message = '' } = pod.status ?? {}
  const plain = (key: Key, values: Sentence['values'] = {}, detail = ''): Sentence => ({ key, values, detail })
  if (pod.metadata.deletionTimestamp !== undefined) return plain('pod.is.terminating')
  const unbound = pod.status?.conditions?.find((c) => c.type === 'PodScheduled' && c.status === 'False')
  if (unbound) return plain('pod.is.unscheduled', {}, unbound.message)
  if (phase === 'Succeeded') return plain('pod.is.succeeded')
  const c = blamed(all)
  if (phase === 'Failed' && reason !== '') return plain('pod.is.failed', { reason }, message)
  if (!c) {
    const main = all.filter((one) => one.role === 'main').length
    return phase === 'Running' ? plain('pod.is.running', { n: main }) : plain('pod.is.pending')
  }
  return ofContainer(c, now)
}

function ofContainer(c: ContainerView, now: number): Sentence {
  const { waiting, terminated } = c.status?.state ?? {}
  const name = c.spec.name
  const restarts = c.status?.restartCount ?? 0
  if (terminated)
    return { key: 'pod.is.exited', values: { name, code: terminated.exitCode }, detail: terminated.message ?? '', container: name }
  const end = c.status?.lastState?.terminated
  if (waiting?.reason === 'CrashLoopBackOff' && end) {
    const left = nextStart(waiting.message ?? '', end.finishedAt, now)
    const values = { name, code: end.exitCode, n: restarts, seconds: left ?? 0 }
    return { key: left ? 'pod.is.crashing' : 'pod.is.crashed', values, detail: end.message ?? '', container: name }
  }
  if (waiting && pulls.test(waiting.reason ?? ''))
    return { key: 'pod.is.pulling', values: { name, image: c.spec.image ?? '' }, detail: waiting.message ?? '' }
  if (waiting && c.state === 'warn') return { key: 'pod.is.held', values: { name }, detail: waiting.message ?? '' }
  return c.role === 'init'
    ? { key: 'pod.is.initializing', values: { name }, detail: '' }
    : { key: 'pod.is.unready', values: { name }, detail: '' }
}

/**
 * nextStart returns in how many seconds the kubelet restarts a container, from its message; null if
 * unknown or now.
 */
export function nextStart(message: string, finishedAt: string | undefined, now: number): number | null {
  const span = parseAge(/^back-off (\S+) restarting/.exec(message)?.[1] ?? '')
  const end = Date.parse(finishedAt ?? '')
  if (span === null || Number.isNaN(end)) return null
  const left = Math.ceil((end + span - now) / 1000)
  return left > 0 ? left : null
}

/**
 * probeText describes a probe as kubectl describe does.
 *
 * Source: kubernetes v1.36 staging/src/k8s.io/kubectl/pkg/describe/describe.go, DescribeProbe
 */
export function probeText(p: Probe): string {
  const times = `delay=${p.initialDelaySeconds ?? 0}s timeout=${p.timeoutSeconds ?? 1}s period=${p.periodSeconds ?? 10}s`
  return `${actionOf(p)} ${times} #success=${p.successThreshold ?? 1} #failure=${p.failureThreshold ?? 3}`
}

function actionOf({ httpGet: h, tcpSocket: s, exec: e, grpc: g }: Probe): string {
  if (h) return `http-get ${(h.scheme ?? 'HTTP').toLowerCase()}://${h.host ?? ''}:${h.port ?? ''}${(h.path ?? '/').replace(/^(?!\/)/, '/')}`
  if (s) return `tcp-socket ${s.host ?? ''}:${s.port ?? ''}`
  if (e) return `exec [${(e.command ?? []).join(' ')}]`
  return g ? `grpc <pod>:${g.port ?? ''} ${g.service ?? ''}`.trimEnd() : 'unknown'
}

/** Variable is an environment variable: its name, and its value or source. */
export interface Variable {
  readonly name: string
  readonly value: string
  /** The object that contains the value. */
  readonly from?: { readonly resource: 'configmaps' | 'secrets'; readonly kind: string; readonly name: string; readonly key: string }
}

/** variablesOf lists an environment: first envFrom, because env overrides it. */
export function variablesOf(c: ContainerSpec): Variable[] {
  return [...(c.envFrom ?? []).flatMap(taken), ...(c.env ?? []).map(variable)]
}

function taken(f: EnvFrom): Variable[] {
  const name = `${f.prefix ?? ''}*`
  const ref = f.configMapRef ?? f.secretRef
  if (!ref) return []
  const secret = f.configMapRef === undefined
  return [{ name, value: '', from: { ...kindOf(secret), name: ref.name ?? '', key: '' } }]
}

const kindOf = (secret: boolean) =>
  secret ? ({ resource: 'secrets', kind: 'Secret' } as const) : ({ resource: 'configmaps', kind: 'ConfigMap' } as const)

function variable({ name, value = '', valueFrom: v }: EnvVar): Variable {
  const ref = v?.configMapKeyRef ?? v?.secretKeyRef
  if (ref) return { name, value: '', from: { ...kindOf(v?.configMapKeyRef === undefined), name: ref.name ?? '', key: ref.key ?? '' } }
  return { name, value: v?.fieldRef?.fieldPath ?? v?.resourceFieldRef?.resource ?? value }
}
