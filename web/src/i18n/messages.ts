import type { en } from './en'

/** Plural is a message in the plural forms of a language; `other` is the default. */
export type Plural = { readonly other: string } & Partial<Readonly<Record<Intl.LDMLPluralRule, string>>>

export type Message = string | Plural

/** Key identifies a message. */
export type Key = keyof typeof en

/**
 * Messages are all messages of a language: the keys of English, with a plural where English has
 * one. The compiler checks that none is missing.
 */
export type Messages = { readonly [K in Key]: (typeof en)[K] extends string ? string : Plural }
