import { signal } from '@preact/signals'

/** query matches the width of a phone, as the style sheets do. */
const query = globalThis.matchMedia?.('(max-width: 480px)')

/**
 * narrow is true if the window is as narrow as a phone; then the bars omit what is in their menus.
 */
export const narrow = signal(query?.matches ?? false)

query?.addEventListener('change', (e) => (narrow.value = e.matches))
