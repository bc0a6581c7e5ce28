import { signal } from '@preact/signals'
import { useLayoutEffect, useRef } from 'preact/hooks'

/** Binding is what a key does on the current page, and its description in the help. */
export interface Binding {
  readonly keys: readonly string[]
  readonly label: string
  readonly run: (e: KeyboardEvent) => void
  /** Whether the key applies where it is pressed; always if undefined. */
  readonly when?: (e: KeyboardEvent) => boolean
}

const bound = signal<readonly { readonly current: readonly Binding[] }[]>([])

/** bindings are all current bindings, newest first for the same key. */
export const bindings = (): Binding[] => bound.value.flatMap((b) => b.current)

/** useKeys binds keys while the component is on the page. */
export function useKeys(all: readonly Binding[]): void {
  const latest = useRef(all)
  latest.current = all
  useLayoutEffect(() => {
    bound.value = [...bound.value, latest]
    return () => {
      bound.value = bound.value.filter((b) => b !== latest)
    }
  }, [])
}

/** jumpKey is Ctrl+K or, on a Mac, ⌘K: the only one of our keys that also works in fields. */
export const jumpKey = /Mac|iP/.test(globalThis.navigator?.platform ?? '') ? '⌘ K' : 'Ctrl K'

/**
 * keyOf names a key as bindings do, by the character it types or its own name: "g", "?", "Enter".
 * It returns null for combinations with Ctrl, Meta or Alt, which are the browser's, except jumpKey.
 */
export function keyOf(e: Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey'>): string | null {
  if (e.key.toLowerCase() === 'k' && e.ctrlKey !== e.metaKey && !e.altKey) return jumpKey
  return e.ctrlKey || e.metaKey || e.altKey ? null : e.key
}

/**
 * typing reports whether keys are typed into an element. An editor may be in a shadow tree: pass
 * the innermost target.
 */
export function typing(target: EventTarget | null | undefined): target is HTMLElement {
  if (!(target instanceof HTMLElement)) return false
  return target.isContentEditable || ['INPUT', 'TEXTAREA', 'SELECT'].includes(target.tagName)
}

/**
 * taken reports whether an element uses a key itself. Editors and terminals use jumpKey as well.
 */
function taken(key: string, target: EventTarget | undefined): boolean {
  return typing(target) && !(key === jumpKey && target instanceof HTMLInputElement)
}

/** bindingOf returns the newest binding for a key. */
const bindingOf = (e: KeyboardEvent): Binding | undefined =>
  bindings().findLast((b) => b.keys.includes(keyOf(e) ?? '') && (b.when?.(e) ?? true))

/** coming counts the parts of the page that are loading and may bind keys. */
let coming = 0

/**
 * opening is the number of dialogs being opened: meanwhile all keys wait, because they are not
 * meant for the page below.
 */
let opening = 0

/** held are keys that arrived before the part that binds them, and all later ones. */
let held: KeyboardEvent[] = []
let releasing = false

/**
 * willCome announces that a part of the page, or a dialog, is loading. The returned function ends
 * that, once.
 */
export function willCome(dialog = false): () => void {
  coming++
  if (dialog) opening++
  let over = false
  return () => {
    if (over) return
    over = true
    coming--
    if (dialog) opening--
    void release()
  }
}

/** release delivers the waiting keys to their new bindings, one after another. */
async function release(): Promise<void> {
  if (releasing) return
  releasing = true
  while (held.length > 0) {
    await new Promise((drawn) => setTimeout(drawn)) // each key applies to what the previous one has changed
    const [e] = held
    const binding = e && bindingOf(e)
    if (opening > 0 || (!binding && coming > 0)) break
    held.shift()
    if (e && !dialogOpen()) binding?.run(e)
  }
  releasing = false
}

const dialogOpen = (): boolean => document.querySelector('dialog[open]') !== null

/**
 * listenToKeys delivers each key to the latest binding for it. It ignores keys typed into a field
 * or while a dialog is open. While a part of the page is loading, a key without a binding waits,
 * with those after it, unless the focus moves.
 */
export function listenToKeys(): void {
  addEventListener('pointerdown', () => {
    held = []
  })
  addEventListener('keydown', (e) => {
    const key = keyOf(e)
    if (key === null || e.defaultPrevented || taken(key, e.composedPath()[0]) || dialogOpen()) return
    if (key === 'Enter' && e.target instanceof Element && e.target.closest('a, button, summary')) return // the element handles it
    const binding = bindingOf(e)
    if (binding) e.preventDefault()
    const waits = binding ? opening > 0 || held.length > 0 : coming > 0 && mayWait.test(key)
    if (waits) held.push(e)
    else binding?.run(e)
  })
}

/** mayWait matches the keys without a meaning to the browser itself. */
const mayWait = /^([!-~]|Delete)$/
