import type { KubeObject } from '../api/object'
import type { State } from '../ui/state'
import { terminating, type Verdict } from './verdict'

/**
 * phases maps kinds whose state is their status's phase, which kubectl prints, to states. A phase
 * that is not listed is "wait".
 */
const phases: Readonly<Record<string, Readonly<Record<string, State>>>> = {
  namespaces: { Active: 'ok', Terminating: 'going' },
  persistentvolumeclaims: { Bound: 'ok', Lost: 'bad', Terminating: 'going' },
  persistentvolumes: { Bound: 'ok', Available: 'idle', Released: 'done', Failed: 'bad', Terminating: 'going' },
}

/** phaseState returns the state for a phase; undefined for kinds without phases. */
export function phaseState(resource: string, phase: string): State | undefined {
  const known = phases[resource]
  return known && (known[phase] ?? 'wait')
}

/** phaseVerdict returns the state of an object of such a kind. */
export function phaseVerdict(resource: string, o: KubeObject): Verdict {
  if (o.metadata.deletionTimestamp !== undefined) return terminating
  const word = (o.status as { phase?: string } | undefined)?.phase ?? (resource === 'namespaces' ? 'Active' : 'Pending')
  return { state: phaseState(resource, word) ?? 'wait', word }
}
