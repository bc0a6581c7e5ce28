import type { KubeObject } from '../../api/object'
import { parseQuantity } from '../table/key'

type Amounts = Readonly<Record<string, string>>

/** Use is how much of a quota's resource is used. */
export interface Use {
  readonly resource: string
  readonly used: string
  readonly hard: string
  /** From 0 to 1; 1 if nothing is allowed and something is used. */
  readonly share: number
  /** Whether it is exhausted. A quota of zero is intended and does not count. */
  readonly full: boolean
}

/** usesOf returns the uses of a quota, the fullest first. */
export function usesOf(o: KubeObject): Use[] {
  const { hard = {}, used = {} } = (o.status as { hard?: Amounts; used?: Amounts } | undefined) ?? {}
  return Object.entries(hard)
    .map(([resource, most]): Use => {
      const limit = parseQuantity(most) ?? 0
      const n = parseQuantity(used[resource] ?? '') ?? 0
      const share = limit > 0 ? Math.min(1, n / limit) : n > 0 ? 1 : 0
      return { resource, used: used[resource] ?? '0', hard: most, share, full: limit > 0 && n >= limit }
    })
    .sort((a, b) => b.share - a.share || (a.resource < b.resource ? -1 : 1))
}
