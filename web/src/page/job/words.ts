import { conditionOf } from '../../api/object'
import type { Key } from '../../i18n'
import type { State } from '../../ui/state'
import { jobVerdict } from '../../verdict/job'
import type { Job } from './kinds'

/** Words describe the state of an object. */
export interface Words {
  readonly state: State
  readonly key: Key
  readonly values: Readonly<Record<string, string | number>>
  /** The server's own words: a reason and a message. */
  readonly raw: string
}

/** wordsOf describes the state of a Job. */
export function wordsOf(j: Job): Words {
  const s = j.status ?? {}
  const [done, total] = [s.succeeded ?? 0, j.spec.completions ?? j.spec.parallelism ?? 1]
  const { state } = jobVerdict(j)
  const tell = (key: Key, values: Words['values'] = {}, raw = ''): Words => ({ state, key, values, raw })
  const failed = conditionOf(s.conditions, 'Failed')
  if (failed) return tell('job.failed', {}, join(failed.reason, failed.message))
  const complete = conditionOf(s.conditions, 'Complete')
  if (complete) return tell('job.complete', { done, total }, join(complete.reason, complete.message))
  if (j.metadata.deletionTimestamp) return tell('field.deleting')
  const failing = conditionOf(s.conditions, 'FailureTarget')
  if (failing) return tell('job.failing', {}, join(failing.reason, failing.message))
  if (j.spec.suspend) return tell('job.suspended', { done, total })
  if ((s.active ?? 0) === 0 && (s.failed ?? 0) > 0) return tell('job.backoff', { n: s.failed ?? 0 })
  return tell('job.running', { done, total, n: s.active ?? 0 })
}

const join = (reason = '', message = ''): string => [reason, message].filter((s) => s !== '').join(': ')
