import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'

/** MenuProps: `name` is read out where `face` is a picture; `opened` runs when the menu has been opened. */
interface MenuProps {
  readonly face: ComponentChildren
  readonly name?: string
  readonly kind?: string
  readonly opened?: (menu: HTMLDetailsElement) => void
  readonly children: ComponentChildren
}

/** Menu unfolds its children below its face. It closes when one of its links is followed, by Escape, and when one looks elsewhere. */
export function Menu({ face, name, kind = '', opened, children }: MenuProps) {
  const ref = useRef<HTMLDetailsElement>(null)
  useEffect(() => {
    const away = (e: Event) => {
      const menu = ref.current
      if (menu?.open && !menu.contains(e.target as Node)) menu.open = false
    }
    // A button that is off while the server is asked loses the focus to the page.
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
        if (e.key !== 'Escape' || !e.currentTarget.open) return
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

/** closeMenu closes a menu and gives the focus back to its face. */
export function closeMenu(menu: HTMLDetailsElement): void {
  menu.open = false
  menu.querySelector('summary')?.focus()
}
