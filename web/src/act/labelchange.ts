import { type Selector, selects } from '../api/selector'
/** Labels are the labels of an object. */
export type Labels = Readonly<Record<string, string>>

/** LabelRow is a row of the form. */
export interface LabelRow {
  readonly key: string
  readonly value: string
}

/**
 * labelPatch returns the patch that changes the labels to those of the form; null removes one. If
 * two rows have the same key, the last one counts; rows without a key are ignored.
 */
export function labelPatch(before: Labels, rows: readonly LabelRow[]): Record<string, string | null> {
  const after = new Map(rows.filter((r) => r.key.trim() !== '').map((r) => [r.key.trim(), r.value.trim()]))
  const change = new Map<string, string | null>()
  for (const key of Object.keys(before)) if (!after.has(key)) change.set(key, null)
  for (const [key, value] of after) if (!Object.hasOwn(before, key) || before[key] !== value) change.set(key, value)
  return Object.fromEntries(change)
}

/**
 * isolating returns the labels to remove so that a selector no longer selects the object. It
 * returns none if the selector has only negative requirements, or does not select the object now.
 */
export function isolating(s: Selector, labels: Labels): string[] {
  if (!selects(s, labels)) return []
  const wanted = (s.matchExpressions ?? []).filter((e) => e.operator === 'In' || e.operator === 'Exists').map((e) => e.key)
  return [...new Set([...Object.keys(s.matchLabels ?? {}), ...wanted])].filter((key) => Object.hasOwn(labels, key)).sort()
}
