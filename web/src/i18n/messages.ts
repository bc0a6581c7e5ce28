import type { en } from './en'

/** Plural is a message in the forms that a language has for numbers; `other` serves for those not given. */
export type Plural = { readonly other: string } & Partial<Readonly<Record<Intl.LDMLPluralRule, string>>>

export type Message = string | Plural

/** Key names a message. */
export type Key = keyof typeof en

/** Messages are all of a language: each that English has, and a plural where English has one. The compiler finds what is missing. */
export type Messages = { readonly [K in Key]: (typeof en)[K] extends string ? string : Plural }
