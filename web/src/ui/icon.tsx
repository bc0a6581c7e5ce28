/** outlines are line icons, in a square of 16. */
const outlines = {
  branch:
    'M4 5.5v5M4 5.5a1.75 1.75 0 1 0 0-3.5 1.75 1.75 0 0 0 0 3.5zm0 5a1.75 1.75 0 1 0 0 3.5 1.75 1.75 0 0 0 0-3.5zm8-5A1.75 1.75 0 1 0 12 2a1.75 1.75 0 0 0 0 3.5zm0 0c0 3-8 2-8 5',
  clock: 'M8 4.5V8l2.5 1.5M14 8A6 6 0 1 1 2 8a6 6 0 0 1 12 0z',
  close: 'M4 4l8 8M12 4l-8 8',
  columns: 'M2.5 3h11v10h-11zM6.2 3v10M9.8 3v10',
  down: 'M4 6l4 4 4-4',
  kinds: 'M2.5 2.5h4v4h-4zM9.5 2.5h4v4h-4zM2.5 9.5h4v4h-4zM9.5 9.5h4v4h-4z',
  menu: 'M2 4h12M2 8h12M2 12h12',
  more: 'M3 8h.01M8 8h.01M13 8h.01',
  plus: 'M8 3v10M3 8h10',
  search: 'M11 11l3.5 3.5M12 7A5 5 0 1 1 2 7a5 5 0 0 1 10 0z',
  settings: 'M2 4.5h6.5M12.5 4.5H14M2 11.5h1.5M7.5 11.5H14M8.5 4.5a2 2 0 1 0 4 0a2 2 0 1 0-4 0M3.5 11.5a2 2 0 1 0 4 0a2 2 0 1 0-4 0',
  up: 'M4 10l4-4 4 4',
} as const

export type IconName = keyof typeof outlines

/**
 * Icon is a picture beside or in place of a word. It has no accessible name: its parent has one.
 */
export function Icon({ of }: { of: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
      <path
        d={outlines[of]}
        fill="none"
        stroke="currentColor"
        stroke-width={of === 'more' ? 2.4 : 1.6}
        stroke-linecap="round"
        stroke-linejoin="round"
      />
    </svg>
  )
}
