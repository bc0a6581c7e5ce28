import type { en } from './en'

/** Plural is a message in the forms that a language has for numbers; `other` serves for those not given. */
export type Plural = { readonly other: string } & Partial<Readonly<Record<Intl.LDMLPluralRule, string>>>

export type Message = string | Plural

/** Key names a message. */
export type Key = keyof typeof en

/** Area are the messages of one file in another language: each of English, and a plural where English has one. */
export type Area<E> = { readonly [K in keyof E]: E[K] extends string ? string : Plural }

/** Messages are all of a language. */
export type Messages = Area<typeof en>
