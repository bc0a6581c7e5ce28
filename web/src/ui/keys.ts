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
export function typing(target: EventTarget | null | undefined): boolean {
  if (!(target instanceof HTMLElement)) return false
  return target.isContentEditable || ['INPUT', 'TEXTAREA', 'SELECT'].includes(target.tagName)
}

/** taken says whether a key is being written into something. An editor and a terminal have a meaning of their own for jumpKey. */
function taken(key: string, target: EventTarget | undefined): boolean {
  return typing(target) && !(key === jumpKey && target instanceof HTMLInputElement)
}

/** listenToKeys gives each key to the latest binding for it. Keys that are typed into a field, or while a dialog is open, are not ours. */
export function listenToKeys(): void {
  addEventListener('keydown', (e) => {
    const key = keyOf(e)
    if (key === null || e.defaultPrevented || taken(key, e.composedPath()[0]) || document.querySelector('dialog[open]')) return
    if (key === 'Enter' && e.target instanceof Element && e.target.closest('a, button, summary')) return // it is theirs
    const binding = bindings().findLast((b) => b.keys.includes(key) && (b.when?.(e) ?? true))
    if (!binding) return
    e.preventDefault()
    binding.run(e)
  })
}
