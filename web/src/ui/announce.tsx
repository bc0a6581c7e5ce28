import { signal } from '@preact/signals'

const said = signal('')

/** announce has a screen reader say something that others see happen. */
export function announce(text: string): void {
  said.value = text
}

/** Announcer is the live region for screen readers; there is one on the page. */
export function Announcer() {
  return (
    <div class="unseen" role="status" aria-live="polite">
      {said.value}
    </div>
  )
}
