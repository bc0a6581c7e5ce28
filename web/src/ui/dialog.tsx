import type { ComponentChildren } from 'preact'
import { useId, useLayoutEffect, useRef } from 'preact/hooks'
import { t } from '../i18n'
import { ForkMark } from './fork'
import { Icon } from './icon'
import { typing } from './keys'

/**
 * Dialog shows its children above the page until it is closed. The browser keeps the focus within
 * it and restores it. A dialog without `close` stays until its task is done.
 */
export function Dialog(p: { title: string; close?: () => void; wide?: boolean; children: ComponentChildren }) {
  const ref = useRef<HTMLDialogElement>(null)
  const id = useId()
  // It opens as soon as it is rendered, so that no key goes to the page below.
  useLayoutEffect(() => {
    const dialog = ref.current
    if (dialog && !dialog.open) dialog.showModal()
    return () => {
      dialog?.close()
      const field = document.activeElement
      if (!typing(field)) return
      field.blur() // Chromium gives a field the focus back, but not the caret
      field.focus({ preventScroll: true })
    }
  }, [])
  // The browser's close event comes later: the dialog may be gone by then, and another one open.
  const closed = () => {
    if (ref.current === null) return
    if (p.close) p.close()
    else ref.current.showModal()
  }
  return (
    <dialog
      ref={ref}
      class={p.wide ? 'wide' : ''}
      aria-labelledby={id}
      onClose={closed}
      onCancel={(e) => (p.close ? p.close() : e.preventDefault())}
    >
      <header>
        <h2 id={id}>{p.title}</h2>
        <ForkMark />
        {p.close && (
          <button type="button" class="plain" aria-label={t('action.close')} onClick={p.close}>
            <Icon of="close" />
          </button>
        )}
      </header>
      <div class="dialog-body">{p.children}</div>
    </dialog>
  )
}
