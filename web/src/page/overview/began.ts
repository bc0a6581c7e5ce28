import type { Pod } from '../../api/pod'
import { loopWindow, podVerdict, type Restarts } from '../../verdict/pod'
import type { Form } from '../rollout/change'

/*
 * When a Pod's problem began. A container that keeps crashing runs in between, so the Pod's current
 * state does not show it.
 */

/**
 * backOffs are the kubelet's delays before a restart, in seconds, for the first restarts; later
 * ones are five minutes.
 */
const backOffs = [0, 10, 20, 40, 80, 160]

/**
 * loopBegan estimates when a container started to crash, from its number of restarts and the
 * kubelet's delays: it cannot have been later. `made` is when its Pod was created. All are in
 * milliseconds.
 *
 * Source: kubernetes v1.36 pkg/kubelet/kubelet.go, initialBackOff, MaxCrashLoopBackOff
 */
export function loopBegan(r: Restarts, made: number): number {
  if (r.last === null || r.n === 0) return made
  const waited = backOffs.slice(0, r.n).reduce((sum, s) => sum + s, 0) + Math.max(0, r.n - backOffs.length) * 300
  return Math.max(made, r.last - waited * 1000)
}

/** Sample is whether a Pod had a problem after a change in the log. */
export interface Sample {
  readonly revision: number
  /** In milliseconds. */
  readonly at: number
  readonly failing: boolean
}

/** troubleForm reads samples from the log. */
export const troubleForm: Form<Sample> = {
  sampleOf(c) {
    if (!c.object || c.verb === 'deleted') return undefined
    const at = Date.parse(c.at)
    const { state } = podVerdict(c.object as Pod, at)
    return { revision: c.revision, at, failing: state === 'warn' || state === 'bad' }
  },
  numbers: [(s) => Number(s.failing)],
}

/**
 * beganIn returns when a Pod's last problem began, in milliseconds; null if the samples show none.
 * A Pod that was well for less time than the kubelet requires counts as having had the problem all
 * the time.
 */
export function beganIn(samples: readonly Sample[]): number | null {
  let began: number | null = null
  let well: number | null = null // since when it was healthy again; samples are read newest first
  for (const s of samples.toSorted((a, b) => b.revision - a.revision)) {
    if (!s.failing) {
      well = s.at
      continue
    }
    // It was healthy long enough before this sample, so the problem began here.
    if (began !== null && well !== null && began - well >= loopWindow) break
    began = s.at
    well = null
  }
  return began
}
