import type { Row } from '../../api/form'
import { hashLabel } from '../../api/workload'
import { type Places, podStateOf } from '../../verdict/row'
import { judgePod } from '../overview/pods'
import type { Why } from '../overview/problem'

/** Cause is why a rollout is not progressing: the most frequent problem of the new Pods. */
export interface Cause {
  readonly why: Why
  readonly n: number
  /** One of them, the oldest, for details. */
  readonly pod: string
  /** How many Pods of older revisions are ready. */
  readonly serving: number
}

/**
 * causeOf finds it among the rows of a Deployment's Pods; null if no new Pod has a problem. `hash`
 * is the newest template's.
 */
export function causeOf(rows: Iterable<Row>, at: Places, hash: string, now: number): Cause | null {
  const found = new Map<Why, Row[]>()
  let serving = 0
  for (const row of rows) {
    if (row.meta.labels?.[hashLabel] !== hash) {
      if (podStateOf(row, at, now) === 'ok') serving++
      continue
    }
    const judged = judgePod(row, at, now)
    if (judged && judged.why !== 'podStuck') found.set(judged.why, [...(found.get(judged.why) ?? []), row])
  }
  const [most] = [...found].sort((a, b) => b[1].length - a[1].length || (a[0] < b[0] ? -1 : 1))
  if (!most) return null
  const [why, all] = most
  const [oldest] = all.toSorted((a, b) => (a.meta.creationTimestamp + a.meta.name < b.meta.creationTimestamp + b.meta.name ? -1 : 1))
  return { why, n: all.length, pod: oldest?.meta.name ?? '', serving }
}
