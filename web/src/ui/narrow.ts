import { signal } from '@preact/signals'

/** query is as wide as a phone; the style sheets say the same. */
const query = globalThis.matchMedia?.('(max-width: 480px)')

/** narrow says whether the window is as narrow as a phone's, where the bars leave out what is in their menus. */
export const narrow = signal(query?.matches ?? false)

query?.addEventListener('change', (e) => (narrow.value = e.matches))
