import { type Selector, selects } from '../api/selector'
/** Labels are those of an object. */
export type Labels = Readonly<Record<string, string>>

/** LabelRow is a label as it stands in the form. */
export interface LabelRow {
  readonly key: string
  readonly value: string
}

/** labelPatch is what turns the labels into those of the form: null removes one. Of two rows with one key the last counts; rows without a key are none. */
export function labelPatch(before: Labels, rows: readonly LabelRow[]): Record<string, string | null> {
  const after = new Map(rows.filter((r) => r.key.trim() !== '').map((r) => [r.key.trim(), r.value.trim()]))
  const change = new Map<string, string | null>()
  for (const key of Object.keys(before)) if (!after.has(key)) change.set(key, null)
  for (const [key, value] of after) if (!Object.hasOwn(before, key) || before[key] !== value) change.set(key, value)
  return Object.fromEntries(change)
}

/**
 * isolating are the labels to remove so that a selector does not select the object any more: those that it wants to be there.
 * There are none where it only says what must not be there, or does not select the object now.
 */
export function isolating(s: Selector, labels: Labels): string[] {
  if (!selects(s, labels)) return []
  const wanted = (s.matchExpressions ?? []).filter((e) => e.operator === 'In' || e.operator === 'Exists').map((e) => e.key)
  return [...new Set([...Object.keys(s.matchLabels ?? {}), ...wanted])].filter((key) => Object.hasOwn(labels, key)).sort()
}
