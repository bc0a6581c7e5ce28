import { signal } from '@preact/signals'

/** jumpShown is whether the jump dialog is open. */
export const jumpShown = signal(false)

/** jumpText is what has been typed into it. */
export const jumpText = signal('')

let entered = false

/** takeEntered says, once, whether Enter was pressed before the dialog was there. */
export function takeEntered(): boolean {
  const was = entered
  entered = false
  return was
}

/** openJump opens the dialog, with nothing typed. */
export function openJump(): void {
  jumpText.value = ''
  entered = false
  jumpShown.value = true
}

/** typed is the text when a key has been pressed; Enter ends it, so that what comes after it does not change what was asked for. */
function typed(text: string, key: string): string {
  if (entered) return text
  return key === 'Backspace' ? text.slice(0, -1) : text + key
}

/** listenAhead keeps what is typed between the key that opens the dialog and when the dialog is there, as it is loaded only then. */
export function listenAhead(): void {
  const ahead = (e: KeyboardEvent) => {
    if (!jumpShown.peek() || e.ctrlKey || e.metaKey || e.altKey || document.querySelector('dialog[open]')) return
    if (e.key === 'Escape') jumpShown.value = false
    else if (e.key === 'Enter') entered = true
    else if (e.key === 'Backspace' || e.key.length === 1) jumpText.value = typed(jumpText.value, e.key)
    else return
    e.preventDefault()
    e.stopImmediatePropagation()
  }
  addEventListener('keydown', ahead, { capture: true })
}
