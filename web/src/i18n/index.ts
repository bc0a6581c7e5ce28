import { signal } from '@preact/signals'
import { en } from './en'
import type { Key, Message, Messages } from './messages'

export type { Key } from './messages'

/** languages are the languages of the dashboard, named in themselves. */
export const languages = { en: 'English', es: 'Español', pt: 'Português', ja: '日本語', zh: '中文' } as const

export type Language = keyof typeof languages

const loaders: Record<Exclude<Language, 'en'>, () => Promise<{ messages: Messages }>> = {
  es: () => import('./es'),
  pt: () => import('./pt'),
  ja: () => import('./ja'),
  zh: () => import('./zh'),
}

const languageKey = 'rowlock-language'

/** language is the current language. */
export const language = signal<Language>('en')

const messages = signal<Messages>(en)

/**
 * choose returns the language to use: the stored one, or else the browser's first preference that
 * is available.
 */
export function choose(asked: string | null, preferred: readonly string[]): Language {
  for (const name of [asked ?? '', ...preferred]) {
    const short = name.toLowerCase().split('-')[0] ?? ''
    if (Object.hasOwn(languages, short)) return short as Language
  }
  return 'en'
}

/** loadLanguage loads the language for the user. */
export async function loadLanguage(): Promise<void> {
  await speak(choose(localStorage.getItem(languageKey), navigator.languages), false)
}

/** speak changes the language, and stores it if the user chose it. */
export async function speak(l: Language, remember = true): Promise<void> {
  messages.value = l === 'en' ? en : (await loaders[l]()).messages
  language.value = l
  document.documentElement.lang = l
  if (remember) localStorage.setItem(languageKey, l)
}

type Values = Readonly<Record<string, string | number>>

/** directed matches right-to-left letters and the marks that change the direction of text. */
const directed = /[\u0590-\u08ff\u200e\u200f\u202a-\u202e\u2066-\u2069\ufb1d-\ufdff\ufe70-\ufefc]/

/**
 * isolated encloses a value in isolates if it could change the direction of the text around it, and
 * closes the isolates that the value leaves open.
 *
 * Source: https://www.unicode.org/reports/tr9/#Explicit_Directional_Isolates
 */
export function isolated(value: string): string {
  if (!directed.test(value)) return value
  let open = 0
  const inner = value.replace(/[\u2066-\u2069]/g, (mark) => {
    if (mark !== '\u2069') open++
    else if (open === 0) return ''
    else open--
    return mark
  })
  return `\u2068${inner}${'\u2069'.repeat(open + 1)}`
}

/** fill replaces the placeholders of a message, such as {name}. */
export function fill(text: string, values: Values): string {
  return text.replace(/\{(\w+)\}/g, (place, name: string) => (Object.hasOwn(values, name) ? isolated(String(values[name])) : place))
}

/** t returns a text in the current language. The value `n` selects the plural form. */
export function t(key: Key, values: Values = {}): string {
  const m: Message = messages.value[key]
  if (typeof m === 'string') return fill(m, values)
  const form = new Intl.PluralRules(language.value).select(Number(values.n ?? 0))
  return fill(m[form] ?? m.other, { ...values, n: formatNumber(Number(values.n ?? 0)) })
}

/** formatNumber formats a number in the current language. */
export const formatNumber = (n: number): string => new Intl.NumberFormat(language.value).format(n)

/** formatTime formats a moment to the second, in the user's time zone. */
export function formatTime(at: Date): string {
  return new Intl.DateTimeFormat(language.value, { dateStyle: 'medium', timeStyle: 'medium' }).format(at)
}

/** formatClock formats the time of day to the second, as formatTime does. */
export function formatClock(at: Date | number): string {
  return new Intl.DateTimeFormat(language.value, { timeStyle: 'medium' }).format(at)
}

/** formatDay formats the day without the year. */
export function formatDay(at: Date | number): string {
  return new Intl.DateTimeFormat(language.value, { month: 'short', day: 'numeric' }).format(at)
}

/** zoneName is the user's time zone, in which times are shown. */
export const zoneName = (): string => new Intl.DateTimeFormat().resolvedOptions().timeZone
