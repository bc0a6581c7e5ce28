import type { ComponentChildren } from 'preact'
import { useEffect, useId, useRef } from 'preact/hooks'
import { t } from '../i18n'
import { ForkMark } from './fork'
import { Icon } from './icon'

/**
 * Dialog shows its children above the page until it is closed. The browser keeps the focus within it and gives it back. One without `close`
 * stays until its task is done.
 */
export function Dialog(p: { title: string; close?: () => void; wide?: boolean; children: ComponentChildren }) {
  const ref = useRef<HTMLDialogElement>(null)
  const id = useId()
  useEffect(() => {
    const dialog = ref.current
    if (dialog && !dialog.open) dialog.showModal()
    return () => dialog?.close()
  }, [])
  return (
    <dialog
      ref={ref}
      class={p.wide ? 'wide' : ''}
      aria-labelledby={id}
      onClose={() => (p.close ? p.close() : ref.current?.showModal())}
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
