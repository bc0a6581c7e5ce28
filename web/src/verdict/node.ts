import type { Condition, KubeObject } from '../api/object'
import { terminating, type Verdict } from './verdict'

/** Host holds the fields of a Node that are read here. */
export interface Host extends KubeObject {
  readonly spec?: { readonly unschedulable?: boolean }
  readonly status?: { readonly conditions?: readonly Condition[] }
}

const pressures = ['MemoryPressure', 'DiskPressure', 'PIDPressure']

/**
 * nodeVerdict returns the state of a Node, with the words of the column STATUS.
 *
 * Source: kubernetes v1.36 pkg/printers/internalversion/printers.go, printNode
 */
export function nodeVerdict(n: Host): Verdict {
  if (n.metadata.deletionTimestamp !== undefined) return terminating
  const statusOf = (type: string) => n.status?.conditions?.find((c) => c.type === type)?.status
  const ready = statusOf('Ready')
  const cordoned = n.spec?.unschedulable === true
  const word = `${ready === undefined ? 'Unknown' : ready === 'True' ? 'Ready' : 'NotReady'}${cordoned ? ',SchedulingDisabled' : ''}`
  if (ready !== 'True' || statusOf('NetworkUnavailable') === 'True') return { state: 'bad', word }
  if (pressures.some((p) => statusOf(p) === 'True')) return { state: 'warn', word }
  return { state: cordoned ? 'wait' : 'ok', word }
}
