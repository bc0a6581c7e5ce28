import { formatAge } from '../../ui/age'
import { parseAge } from './key'

/**
 * ago converts a duration printed at `printed` to one at `now`; both in milliseconds. Other text
 * stays unchanged.
 */
export function ago(text: string, printed: number, now: number): string {
  const span = parseAge(text)
  return span === null ? text : formatAge(span + now - printed)
}

/** agoWithin does so for a duration within a text: 2 (5m ago). */
export function agoWithin(text: string, printed: number, now: number): string {
  return text.replace(/\((\w+) ago\)$/, (_, span: string) => `(${ago(span, printed, now)} ago)`)
}
