import type { KubeObject, Meta } from '../api/object'
import type { State } from '../ui/state'
import { deploymentVerdict } from './workload'

/** Printed gives the cell of a column by the column's name; '' if there is none. */
export type Printed = (column: string) => string

/** Seen is a whole object, and the time at which it is judged, in milliseconds. */
export interface Seen {
  readonly object: KubeObject
  readonly now: number
}

/** judgedWhole are the kinds whose rows do not tell how their objects are, so that tables read the objects too. */
export const judgedWhole: ReadonlySet<string> = new Set(['deployments.apps'])

/** stateOf is how an object is, as far as its row and what is read with it tell; undefined for kinds that are in no state. */
export function stateOf(resource: string, meta: Meta, printed: Printed, seen?: Seen): State | undefined {
  if (resource === 'deployments.apps' && seen) return deploymentVerdict(seen.object, seen.now).state
  const judge = judges[resource]
  if (judge && meta.deletionTimestamp !== undefined) return 'going'
  return judge?.(printed)
}

const failures =
  /^(Error|Failed|OOMKilled|Evicted|DeadlineExceeded|ContainerStatusUnknown|Unknown|NodeLost|NodeShutdown|StartError|UnexpectedAdmissionError|NodeAffinity|OutOf.*|ExitCode:.*|Signal:.*)$/
const attempts = /(BackOff|^Err|Err(or)?$|^InvalidImageName$|^NotReady$)/
const starts = /^(ContainerCreating|PodInitializing|\d+\/\d+)$/

/**
 * podState reads what kubectl shows of a Pod as its status, and how many of its containers are ready.
 *
 * Source: kubernetes v1.36 pkg/printers/internalversion/printers.go, printPod
 */
export function podState(status: string, ready: string): State {
  if (status === 'Running') return isWhole(ready) ? 'ok' : 'busy'
  if (status === 'Completed' || status === 'Succeeded') return 'done'
  if (status === 'Terminating') return 'going'
  const reason = status.replace(/^Init:/, '')
  if (failures.test(reason)) return 'bad'
  if (starts.test(reason)) return 'busy'
  if (attempts.test(reason)) return 'warn'
  return status === 'Pending' || status === 'SchedulingGated' ? 'wait' : 'busy'
}

function isWhole(share: string): boolean {
  const [part, whole] = share.split('/')
  return part === whole
}

/** scaleState is that of what has a number of Pods: wanted, ready, and made of the newest template. */
export function scaleState(wanted: number, ready: number, updated = wanted): State {
  if (wanted === 0) return ready === 0 ? 'idle' : 'busy'
  return ready >= wanted && updated >= wanted ? 'ok' : 'busy'
}

function shares(p: Printed): [number, number] {
  const [ready = '0', wanted = '0'] = p('Ready').split('/')
  return [Number(wanted), Number(ready)]
}

const byStatus =
  (column: string, states: Readonly<Record<string, State>>, otherwise: State) =>
  (p: Printed): State =>
    states[p(column)] ?? otherwise

const scaled = (p: Printed): State => scaleState(Number(p('Desired')), Number(p('Ready')))

/** judges are the kinds that are in a state, by the names of their resources. */
const judges: Readonly<Record<string, (p: Printed) => State>> = {
  pods: (p) => podState(p('Status'), p('Ready')),
  'deployments.apps': (p) => scaleState(...shares(p), Number(p('Up-to-date'))),
  'statefulsets.apps': (p) => scaleState(...shares(p)),
  'replicasets.apps': scaled,
  'daemonsets.apps': scaled,
  replicationcontrollers: scaled,
  'poddisruptionbudgets.policy': (p) => (Number(p('Allowed Disruptions')) > 0 ? 'ok' : 'wait'),
  'jobs.batch': byStatus(
    'Status',
    { Complete: 'done', Failed: 'bad', FailureTarget: 'warn', Suspended: 'idle', Terminating: 'going' },
    'busy',
  ),
  'cronjobs.batch': (p) => (/true/i.test(p('Suspend')) ? 'idle' : Number(p('Active')) > 0 ? 'busy' : 'ok'),
  nodes: (p) => (!/^Ready/.test(p('Status')) ? 'bad' : /Disabled/.test(p('Status')) ? 'wait' : 'ok'),
  namespaces: byStatus('Status', { Active: 'ok', Terminating: 'going' }, 'wait'),
  persistentvolumeclaims: byStatus('Status', { Bound: 'ok', Lost: 'bad', Terminating: 'going' }, 'wait'),
  persistentvolumes: byStatus('Status', { Bound: 'ok', Available: 'idle', Released: 'done', Failed: 'bad', Terminating: 'going' }, 'wait'),
  events: byStatus('Type', { Normal: 'ok' }, 'warn'),
  'events.events.k8s.io': byStatus('Type', { Normal: 'ok' }, 'warn'),
}
