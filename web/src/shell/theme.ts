import { signal } from '@preact/signals'

/** themes are how the dashboard may look; `system` is as the person's system does. */
export const themes = ['system', 'light', 'dark'] as const
export type Theme = (typeof themes)[number]

const themeKey = 'rowlock-theme'

const kept = (): Theme => themes.find((t) => t === localStorage.getItem(themeKey)) ?? 'system'

/** theme is the one chosen. */
export const theme = signal<Theme>('system')

/** applyTheme shows the theme that was chosen before. */
export function applyTheme(): void {
  choose(kept())
}

/** chooseTheme changes the theme and remembers it. */
export function chooseTheme(to: Theme): void {
  localStorage.setItem(themeKey, to)
  choose(to)
}

function choose(to: Theme): void {
  theme.value = to
  document.documentElement.dataset.theme = to
}
