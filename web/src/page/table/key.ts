import type { Cell } from '../../api/form'

/** Key is the sort key of a cell. Numbers sort before strings. */
export type Key = number | string

/** nothing is the key of an empty cell, which sorts last. */
const nothing = '\uffff'

const units: Readonly<Record<string, number>> = { y: 365 * 86_400, d: 86_400, h: 3600, m: 60, s: 1 }
const duration = /^(?:\d+y)?(?:\d+d)?(?:\d+h)?(?:\d+m)?(?:\d+s)?$/

/**
 * parseAge parses a duration as kubectl writes it, "2d3h", in milliseconds; null if it is invalid.
 */
export function parseAge(text: string): number | null {
  if (text === '' || !duration.test(text)) return null
  let seconds = 0
  for (const [, n, unit] of text.matchAll(/(\d+)([ydhms])/g)) seconds += Number(n) * (units[unit ?? ''] ?? 0)
  return seconds * 1000
}

const factors: Readonly<Record<string, number>> = {
  ...{ n: 1e-9, u: 1e-6, m: 1e-3, '': 1, k: 1e3, M: 1e6, G: 1e9, T: 1e12, P: 1e15, E: 1e18 },
  ...{ Ki: 2 ** 10, Mi: 2 ** 20, Gi: 2 ** 30, Ti: 2 ** 40, Pi: 2 ** 50, Ei: 2 ** 60 },
}

/** parseQuantity parses a Kubernetes quantity, "500m" or "1Gi"; null if it is invalid. */
export function parseQuantity(text: string): number | null {
  const m = /^(-?\d+(?:\.\d+)?)([numkMGTPE]|[KMGTPE]i)?$/.exec(text)
  return m ? Number(m[1]) * (factors[m[2] ?? ''] ?? 1) : null
}

/** naturalKey sorts the numbers in a text as numbers: web-2 goes before web-10. */
export function naturalKey(text: string): string {
  return text.toLowerCase().replace(/\d+/g, (digits) => digits.padStart(12, '0'))
}

/**
 * keyOf returns the sort key of a cell: numbers, quantities and durations sort by value, "3/5" by
 * the ratio and then the total, restarts such as "2 (5m ago)" by their number and then by time, and
 * everything else as text with natural numbers.
 */
export function keyOf(cell: Cell, format = ''): Key {
  if (cell === null || cell === '' || cell === '<none>' || cell === '<unknown>') return nothing
  if (typeof cell !== 'string') return Number(cell)
  if (format === 'name') return naturalKey(cell)
  if (format === 'quantity') return parseQuantity(cell) ?? naturalKey(cell)
  if (/^-?\d+(\.\d+)?$/.test(cell)) return Number(cell)
  const share = /^(\d+)\/(\d+)$/.exec(cell)
  if (share) return shareKey(Number(share[1]), Number(share[2]))
  const restarts = /^(\d+) \((\w+) ago\)$/.exec(cell)
  if (restarts) return Number(restarts[1]) + 1 / (2 + (parseAge(restarts[2] ?? '') ?? 0))
  if (/^\d{4}-\d\d-\d\dT/.test(cell)) return Date.parse(cell)
  return parseAge(cell) ?? parseQuantity(cell) ?? naturalKey(cell)
}

/** shareKey sorts 0/3 before 1/3 before 3/3, and 3/3 before 5/5. */
function shareKey(part: number, whole: number): number {
  return (whole === 0 ? 1 : part / whole) + whole * 1e-9
}

/** compareKeys orders two keys. */
export function compareKeys(a: Key, b: Key): number {
  if (typeof a === typeof b) return a < b ? -1 : a > b ? 1 : 0
  return typeof a === 'number' ? -1 : 1
}
