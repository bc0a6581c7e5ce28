import { signal } from '@preact/signals'
import { en } from './en'
import type { Key, Message, Messages } from './messages'

export type { Key } from './messages'

/** languages are those that the dashboard speaks, in their own words. */
export const languages = { en: 'English', es: 'Español', pt: 'Português', ja: '日本語', zh: '中文' } as const

export type Language = keyof typeof languages

const loaders: Record<Exclude<Language, 'en'>, () => Promise<{ messages: Messages }>> = {
  es: () => import('./es'),
  pt: () => import('./pt'),
  ja: () => import('./ja'),
  zh: () => import('./zh'),
}

const languageKey = 'rowlock-language'

/** language is the one that is spoken now. */
export const language = signal<Language>('en')

const messages = signal<Messages>(en)

/** choose finds the language to speak: the one that was asked for, else the first of the browser's that is spoken here. */
export function choose(asked: string | null, preferred: readonly string[]): Language {
  for (const name of [asked ?? '', ...preferred]) {
    const short = name.toLowerCase().split('-')[0] ?? ''
    if (Object.hasOwn(languages, short)) return short as Language
  }
  return 'en'
}

/** loadLanguage speaks the language that fits the person. */
export async function loadLanguage(): Promise<void> {
  await speak(choose(localStorage.getItem(languageKey), navigator.languages), false)
}

/** speak changes the language, and remembers it if the person asked for it. */
export async function speak(l: Language, remember = true): Promise<void> {
  messages.value = l === 'en' ? en : (await loaders[l]()).messages
  language.value = l
  document.documentElement.lang = l
  if (remember) localStorage.setItem(languageKey, l)
}

type Values = Readonly<Record<string, string | number>>

/** fill puts values into the places that a message has for them: {name}. */
export function fill(text: string, values: Values): string {
  return text.replace(/\{(\w+)\}/g, (place, name: string) => (Object.hasOwn(values, name) ? String(values[name]) : place))
}

/** t says something in the language of the person. `n` among the values chooses the plural form. */
export function t(key: Key, values: Values = {}): string {
  const m: Message = messages.value[key]
  if (typeof m === 'string') return fill(m, values)
  const form = new Intl.PluralRules(language.value).select(Number(values.n ?? 0))
  return fill(m[form] ?? m.other, { ...values, n: formatNumber(Number(values.n ?? 0)) })
}

/** formatNumber writes a number as the language does. */
export const formatNumber = (n: number): string => new Intl.NumberFormat(language.value).format(n)

/** formatTime writes a moment, in the zone of the person, to the second. */
export function formatTime(at: Date): string {
  return new Intl.DateTimeFormat(language.value, { dateStyle: 'medium', timeStyle: 'medium' }).format(at)
}

/** formatClock writes the time of day of a moment, to the second, as formatTime does. */
export function formatClock(at: Date | number): string {
  return new Intl.DateTimeFormat(language.value, { timeStyle: 'medium' }).format(at)
}

/** formatDay writes the day of a moment without its year. */
export function formatDay(at: Date | number): string {
  return new Intl.DateTimeFormat(language.value, { month: 'short', day: 'numeric' }).format(at)
}

/** zoneName is the zone in which times are written: the person's. */
export const zoneName = (): string => new Intl.DateTimeFormat().resolvedOptions().timeZone
