import { formatAge } from '../../ui/age'
import { parseAge } from './key'

/** ago writes a span that was up to `printed`, as a span up to `now`; all in milliseconds. What is no span stays as it is. */
export function ago(text: string, printed: number, now: number): string {
  const span = parseAge(text)
  return span === null ? text : formatAge(span + now - printed)
}

/** agoWithin does so for a span within a text: 2 (5m ago). */
export function agoWithin(text: string, printed: number, now: number): string {
  return text.replace(/\((\w+) ago\)$/, (_, span: string) => `(${ago(span, printed, now)} ago)`)
}
