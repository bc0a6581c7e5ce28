import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { typing } from './keys'

/**
 * MenuProps: `name` is the accessible name if `face` is a picture; `opened` is called when the menu
 * opens.
 */
interface MenuProps {
  readonly face: ComponentChildren
  readonly name?: string
  readonly kind?: string
  readonly opened?: (menu: HTMLDetailsElement) => void
  readonly children: ComponentChildren
}

/**
 * Menu shows its children below its face. It closes when a link in it is followed, on Escape, and
 * when the focus leaves it.
 */
export function Menu({ face, name, kind = '', opened, children }: MenuProps) {
  const ref = useRef<HTMLDetailsElement>(null)
  useEffect(() => {
    const away = (e: Event) => {
      const menu = ref.current
      if (menu?.open && !menu.contains(e.target as Node)) menu.open = false
    }
    // A button that is disabled during a request loses the focus to the page.
    const pressed = (e: KeyboardEvent) => {
      if (e.key === 'Escape' && ref.current?.open && e.target === document.body) closeMenu(ref.current)
    }
    addEventListener('keydown', pressed)
    addEventListener('pointerdown', away)
    addEventListener('focusin', away)
    return () => {
      removeEventListener('keydown', pressed)
      removeEventListener('pointerdown', away)
      removeEventListener('focusin', away)
    }
  }, [])
  return (
    <details
      ref={ref}
      class={`menu ${kind}`}
      onToggle={(e) => e.currentTarget.open && opened?.(e.currentTarget)}
      onKeyDown={(e) => {
        if (!e.currentTarget.open) return openByArrow(e)
        stepThrough(e)
        if (e.key !== 'Escape') return
        e.preventDefault()
        closeMenu(e.currentTarget)
      }}
      onClick={(e) => {
        if (e.target instanceof Element && e.target.closest('a')) e.currentTarget.open = false
      }}
    >
      <summary aria-label={name} title={name}>
        {face}
      </summary>
      <div class="menu-body">{children}</div>
    </details>
  )
}

/** openByArrow opens the focused menu at its first entry, if that is loaded. */
function openByArrow(e: KeyboardEvent): void {
  const menu = e.currentTarget as HTMLDetailsElement
  if (e.key !== 'ArrowDown' || !(e.target instanceof Element) || e.target.localName !== 'summary') return
  e.preventDefault()
  menu.open = true
  requestAnimationFrame(() => menu.querySelector<HTMLElement>('.menu-body input, .menu-body li > a, .menu-body button:enabled')?.focus())
}

/**
 * stepThrough moves the focus among the links and buttons of a menu with the arrow keys, except in
 * a field.
 */
export function stepThrough(e: KeyboardEvent): void {
  if ((e.key !== 'ArrowDown' && e.key !== 'ArrowUp') || typing(e.target)) return
  const all = [...(e.currentTarget as Element).querySelectorAll<HTMLElement>('li > a, button:enabled, summary')]
  const here = all.indexOf(document.activeElement as HTMLElement)
  e.preventDefault()
  all[(here + (e.key === 'ArrowDown' ? 1 : all.length - 1)) % all.length]?.focus()
}

/** closeMenu closes a menu and moves the focus to its face. */
export function closeMenu(menu: HTMLDetailsElement): void {
  menu.open = false
  menu.querySelector('summary')?.focus()
}
