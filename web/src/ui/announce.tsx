import { signal } from '@preact/signals'

const said = signal('')

/** announce makes a screen reader say something. */
export function announce(text: string): void {
  said.value = text
}

/** Announcer is the live region for screen readers; the page has one. */
export function Announcer() {
  return (
    <div class="unseen" role="status" aria-live="polite">
      {said.value}
    </div>
  )
}
