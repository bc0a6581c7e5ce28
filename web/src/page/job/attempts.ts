import { conditionOf } from '../../api/object'
import type { Pod } from '../../api/pod'
import { t } from '../../i18n'
import type { State } from '../../ui/state'
import { jobVerdict } from '../../verdict/job'
import { podVerdict } from '../../verdict/pod'
import type { Job } from './kinds'

/** Bar is an attempt of a Job or a run of a CronJob. Times are in milliseconds. */
export interface Bar {
  readonly name: string
  readonly from: number
  /** Infinity while it is running. */
  readonly to: number
  readonly state: State
  /** Its result: the server's reason, and the exit code. */
  readonly note: string
}

/**
 * attemptsOf returns a Job's Pods as bars, each from its creation to its end. `now` is in
 * milliseconds.
 */
export function attemptsOf(pods: Iterable<Pod>, now: number): Bar[] {
  return [...pods].map((p) => attempt(p, now)).sort((a, b) => a.from - b.from || a.name.localeCompare(b.name))
}

function attempt(p: Pod, now: number): Bar {
  const s = p.status ?? {}
  const ended = (s.containerStatuses ?? []).flatMap((c) => c.state?.terminated ?? [])
  const last = ended.map((e) => Date.parse(e.finishedAt ?? '')).filter((t) => !Number.isNaN(t))
  const over = s.phase === 'Succeeded' || s.phase === 'Failed'
  const since = Date.parse(
    conditionOf(s.conditions, 'Ready')?.lastTransitionTime ?? s.conditions?.find((c) => c.type === 'Ready')?.lastTransitionTime ?? '',
  )
  const from = Date.parse(p.metadata.creationTimestamp)
  const end = last.length > 0 ? Math.max(...last) : since
  const code = ended.find((e) => (e.exitCode ?? 0) !== 0)
  const exit = code && `${code.reason ?? 'Error'}, ${t('job.exit', { code: code.exitCode ?? 0 })}`
  const waiting = s.containerStatuses?.find((c) => c.state?.waiting)?.state?.waiting?.reason
  return {
    name: p.metadata.name,
    from,
    to: over ? (Number.isNaN(end) ? from : Math.max(from, end)) : Number.POSITIVE_INFINITY,
    state: podVerdict(p, now).state,
    note: s.reason ?? exit ?? (over ? (s.phase ?? '') : (waiting ?? s.phase ?? '')),
  }
}

/** runOf returns a Job as a run of its CronJob. */
export function runOf(j: Job): Bar {
  const failed = conditionOf(j.status?.conditions, 'Failed')
  const complete = conditionOf(j.status?.conditions, 'Complete')
  const from = Date.parse(j.status?.startTime ?? j.metadata.creationTimestamp)
  const end = Date.parse(j.status?.completionTime ?? failed?.lastTransitionTime ?? complete?.lastTransitionTime ?? '')
  const over = failed !== undefined || complete !== undefined
  return {
    name: j.metadata.name,
    from,
    to: over && !Number.isNaN(end) ? Math.max(from, end) : Number.POSITIVE_INFINITY,
    state: jobVerdict(j).state,
    note: failed?.reason ?? (complete ? 'Complete' : ''),
  }
}

/** Axis maps times to the picture. */
export interface Axis {
  readonly from: number
  readonly to: number
  /** x returns the place of a time, from 0 to 1; times outside are at the edge. */
  x(time: number): number
  /** The places of labels: round times, about as many as requested. */
  readonly ticks: readonly number[]
}

const second = 1000
const steps = [
  1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10_800, 21_600, 43_200, 86_400, 172_800, 604_800, 2_592_000, 31_536_000,
]

/** axisOf spans the given times and a little more, at least a second. */
export function axisOf(times: readonly number[], ticks: number): Axis {
  const finite = times.filter(Number.isFinite)
  const [low, high] = finite.length > 0 ? [Math.min(...finite), Math.max(...finite)] : [0, 0]
  const margin = Math.max((high - low) * 0.02, second / 2)
  const [from, to] = [low - margin, high + margin]
  const step = second * (steps.find((s) => (to - from) / (s * second) <= ticks) ?? (steps.at(-1) as number))
  const marks: number[] = []
  for (let t = Math.ceil(from / step) * step; t <= to && marks.length <= 2 * ticks; t += step) marks.push(t)
  return { from, to, ticks: marks, x: (t) => Math.min(1, Math.max(0, (t - from) / (to - from))) }
}

/**
 * letter is the width of a letter of a label, in pixels; mark and gap are the distances of its mark
 * and its text from the bar.
 */
const [letter, mark, gap] = [6.6, 9, 19]

/**
 * labelAt places the mark and the text of a bar in a picture of a width: after the bar, before it,
 * or else on it.
 */
export function labelAt(from: number, to: number, letters: number, width: number): { mark: number; text: number; anchor: 'start' | 'end' } {
  const room = letters * letter + gap
  if (to + room <= width) return { mark: to + mark, text: to + gap, anchor: 'start' }
  if (from - room >= 0) return { mark: from - mark, text: from - gap, anchor: 'end' }
  return { mark: from + mark, text: from + gap, anchor: 'start' }
}

/**
 * anchorAt returns how the time of a tick is anchored, so that the picture does not cut it off. The
 * tick's place and the picture's width are in pixels.
 */
export function anchorAt(x: number, width: number): 'start' | 'middle' | 'end' {
  if (x < 40) return 'start'
  return x > width - 40 ? 'end' : 'middle'
}
