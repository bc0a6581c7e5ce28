import { signal } from '@preact/signals'
import { useLayoutEffect, useRef } from 'preact/hooks'

/** Binding is what a key does on the page that is open, and the words for it in the help. */
export interface Binding {
  readonly keys: readonly string[]
  readonly label: string
  readonly run: (e: KeyboardEvent) => void
  /** Whether the keys mean this where they are pressed; always if it is not said. */
  readonly when?: (e: KeyboardEvent) => boolean
}

const bound = signal<readonly { readonly current: readonly Binding[] }[]>([])

/** bindings are all that hold now; later ones go before earlier ones with the same key. */
export const bindings = (): Binding[] => bound.value.flatMap((b) => b.current)

/** useKeys binds keys for as long as the component is on the page: from when it is there, before it is seen. */
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

/** jumpKey is Control or, on a Mac, Command with K: the one key of ours that holds in fields too. */
export const jumpKey = /Mac|iP/.test(globalThis.navigator?.platform ?? '') ? '⌘ K' : 'Ctrl K'

/**
 * keyOf names a key as bindings do: by what it types, and by its own name: "g", "?", "Enter". With Control, Meta or Alt it is the browser's,
 * but for jumpKey.
 */
export function keyOf(e: Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey'>): string | null {
  if (e.key.toLowerCase() === 'k' && e.ctrlKey !== e.metaKey && !e.altKey) return jumpKey
  return e.ctrlKey || e.metaKey || e.altKey ? null : e.key
}

/** typing says whether keys are being written into something. An editor may be in a shadow tree: ask about the innermost target. */
export function typing(target: EventTarget | null | undefined): target is HTMLElement {
  if (!(target instanceof HTMLElement)) return false
  return target.isContentEditable || ['INPUT', 'TEXTAREA', 'SELECT'].includes(target.tagName)
}

/** taken says whether a key is being written into something. An editor and a terminal have a meaning of their own for jumpKey. */
function taken(key: string, target: EventTarget | undefined): boolean {
  return typing(target) && !(key === jumpKey && target instanceof HTMLInputElement)
}

/** bindingOf is the latest binding for a key. */
const bindingOf = (e: KeyboardEvent): Binding | undefined =>
  bindings().findLast((b) => b.keys.includes(keyOf(e) ?? '') && (b.when?.(e) ?? true))

/** coming is how many parts of the page are being loaded, which may bind keys. */
let coming = 0

/**
 * opening is the number of dialogs being opened: meanwhile all keys wait, because they are not
 * meant for the page below.
 */
let opening = 0

/** held are keys that came before the part that binds them, and those after them. */
let held: KeyboardEvent[] = []
let releasing = false

/** willCome says that a part of the page is being loaded, or a dialog; what it returns says, once, that it is there or will not be. */
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
    await new Promise((drawn) => setTimeout(drawn)) // each is about what the one before has changed
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
    if (key === 'Enter' && e.target instanceof Element && e.target.closest('a, button, summary')) return // it is theirs
    const binding = bindingOf(e)
    if (binding) e.preventDefault()
    const waits = binding ? opening > 0 || held.length > 0 : coming > 0 && mayWait.test(key)
    if (waits) held.push(e)
    else binding?.run(e)
  })
}

/** mayWait are the keys that mean nothing to the browser itself. */
const mayWait = /^([!-~]|Delete)$/
