import type { Condition, KubeObject } from '../api/object'
import type { State } from '../ui/state'
import { terminating, type Verdict } from './verdict'

/** Runnable holds the fields of a Job that are read here. */
export interface Runnable extends KubeObject {
  readonly spec?: { readonly suspend?: boolean }
  readonly status?: { readonly failed?: number; readonly conditions?: readonly Condition[] }
}

/**
 * words are the conditions that kubectl prints as a Job's status: the first that is True, after the
 * two that end a Job.
 */
const words = ['Suspended', 'FailureTarget', 'SuccessCriteriaMet']

/**
 * jobVerdict returns the state of a Job, with the words of the column STATUS. One that continues
 * after some of its Pods have failed has a warning.
 *
 * Source: kubernetes v1.36 pkg/printers/internalversion/printers.go, printJob
 */
export function jobVerdict(j: Runnable): Verdict {
  const is = (type: string) => j.status?.conditions?.some((c) => c.type === type && c.status === 'True') ?? false
  if (is('Complete')) return { state: 'done', word: 'Complete' }
  if (is('Failed')) return { state: 'bad', word: 'Failed' }
  if (j.metadata.deletionTimestamp !== undefined) return terminating
  const word = words.find(is) ?? 'Running'
  return { state: stateOfWord(word, j), word }
}

function stateOfWord(word: string, j: Runnable): State {
  if (word === 'FailureTarget') return 'bad'
  if (word === 'Suspended' || j.spec?.suspend) return 'idle'
  return (j.status?.failed ?? 0) > 0 && word === 'Running' ? 'warn' : 'busy'
}

/** Scheduled holds the fields of a CronJob that are read here. */
export interface Scheduled extends KubeObject {
  readonly spec?: { readonly suspend?: boolean }
  readonly status?: { readonly active?: readonly unknown[] }
}

/**
 * cronJobVerdict returns the state of a CronJob: suspended, running, or waiting for its next run,
 * as intended.
 */
export function cronJobVerdict(c: Scheduled): Verdict {
  if (c.metadata.deletionTimestamp !== undefined) return terminating
  if (c.spec?.suspend) return { state: 'idle', word: 'Suspended' }
  return (c.status?.active ?? []).length > 0 ? { state: 'busy', word: 'Active' } : { state: 'ok', word: 'Scheduled' }
}
