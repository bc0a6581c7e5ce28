import type { Pod } from '../../api/pod'
import type { State } from '../../ui/state'
import type { Job } from './kinds'

/** indexKey is the annotation with a Pod's index. */
const indexKey = 'batch.kubernetes.io/job-completion-index'

/** Range is a range of indexes, inclusive. */
export interface Range {
  readonly first: number
  readonly last: number
}

/** parseIndexes parses the list of indexes in a Job's status: "0-4,6". Invalid text has none. */
export function parseIndexes(text = ''): Range[] {
  const out: Range[] = []
  for (const part of text.split(',')) {
    const match = /^(\d+)(?:-(\d+))?$/.exec(part)
    const first = Number(match?.[1])
    const last = Number(match?.[2] ?? match?.[1])
    if (match && last >= first) out.push({ first, last })
  }
  return out
}

/** has reports whether an index is in one of the sorted ranges. */
export function has(ranges: readonly Range[], index: number): boolean {
  let [low, high] = [0, ranges.length - 1]
  while (low <= high) {
    const middle = (low + high) >> 1
    const r = ranges[middle]
    if (!r || index < r.first) high = middle - 1
    else if (index > r.last) low = middle + 1
    else return true
  }
  return false
}

/** Cell is a square of a Job's grid: one index, or several neighbours if there are too many. */
export interface Cell {
  readonly first: number
  readonly last: number
  /** The worst state among the indexes of the cell. */
  readonly state: State
  /** The number of failed attempts; 0 if unknown. */
  readonly failures: number
  /** The newest Pod of the first index; '' for none. */
  readonly pod: string
}

/** mostCells is the maximum number of squares in a grid. */
export const mostCells = 2_000

/** worst lists the states of indexes, the worst first. */
const worst: readonly State[] = ['bad', 'warn', 'busy', 'wait', 'idle', 'done']

/**
 * cellsOf arranges a Job as squares. An Indexed Job has one for each index. For other Jobs, the
 * squares are completions, finished ones first, because Pods have no order.
 */
export function cellsOf(job: Job, pods: Iterable<Pod>): Cell[] {
  const { spec, status = {} } = job
  const total = spec.completions ?? spec.parallelism ?? 1
  if (spec.completionMode !== 'Indexed') return counted(job, total)
  const [completed, failed] = [parseIndexes(status.completedIndexes), parseIndexes(status.failedIndexes)]
  const live = podsByIndex(pods)
  const states = (index: number): { state: State; failures: number; pod: string } => {
    const p = live.get(index)
    const known = { failures: p?.failures ?? 0, pod: p?.newest.metadata.name ?? '' }
    if (has(completed, index)) return { state: 'done', ...known }
    if (has(failed, index)) return { state: 'bad', ...known }
    if (p && p.running > 0) return { state: p.failures > 0 ? 'warn' : 'busy', ...known }
    if (p && p.failures > 0) return { state: 'warn', ...known }
    return { state: spec.suspend ? 'idle' : 'wait', ...known }
  }
  return gather(total, states)
}

function counted(job: Job, total: number): Cell[] {
  const { succeeded = 0, active = 0 } = job.status ?? {}
  const over =
    job.status?.completionTime !== undefined || (job.status?.conditions ?? []).some((c) => c.type === 'Failed' && c.status === 'True')
  return gather(total, (i) => ({
    state: i < succeeded ? 'done' : i < succeeded + active ? 'busy' : over ? 'bad' : job.spec.suspend ? 'idle' : 'wait',
    failures: 0,
    pod: '',
  }))
}

function gather(total: number, of: (index: number) => { state: State; failures: number; pod: string }): Cell[] {
  const each = Math.max(1, Math.ceil(total / mostCells))
  const out: Cell[] = []
  for (let first = 0; first < total; first += each) {
    const last = Math.min(first + each, total) - 1
    let [at, failures, pod] = [worst.length, 0, '']
    for (let i = first; i <= last; i++) {
      const one = of(i)
      const rank = worst.indexOf(one.state)
      if (rank < at) [at, pod] = [rank, one.pod]
      failures += one.failures
    }
    out.push({ first, last, state: worst[at] ?? 'wait', failures, pod })
  }
  return out
}

interface AtIndex {
  readonly newest: Pod
  readonly failures: number
  readonly running: number
}

function podsByIndex(pods: Iterable<Pod>): Map<number, AtIndex> {
  const out = new Map<number, AtIndex>()
  for (const p of pods) {
    const index = Number(p.metadata.annotations?.[indexKey] ?? Number.NaN)
    if (!Number.isInteger(index)) continue
    const before = out.get(index)
    const phase = p.status?.phase
    out.set(index, {
      newest: before && before.newest.metadata.creationTimestamp > p.metadata.creationTimestamp ? before.newest : p,
      failures: (before?.failures ?? 0) + (phase === 'Failed' ? 1 : 0),
      running: (before?.running ?? 0) + (phase === 'Running' || phase === 'Pending' ? 1 : 0),
    })
  }
  return out
}
