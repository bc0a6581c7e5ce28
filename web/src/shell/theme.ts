import { signal } from '@preact/signals'

/** themes are the themes of the dashboard; `system` follows the operating system. */
export const themes = ['system', 'light', 'dark'] as const
export type Theme = (typeof themes)[number]

const themeKey = 'rowlock-theme'

const kept = (): Theme => themes.find((t) => t === localStorage.getItem(themeKey)) ?? 'system'

/** theme is the chosen theme. */
export const theme = signal<Theme>('system')

/** applyTheme applies the stored theme. */
export function applyTheme(): void {
  choose(kept())
}

/** chooseTheme changes the theme and stores it. */
export function chooseTheme(to: Theme): void {
  localStorage.setItem(themeKey, to)
  choose(to)
}

function choose(to: Theme): void {
  theme.value = to
  document.documentElement.dataset.theme = to
}
