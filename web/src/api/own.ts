import type { components } from './rowlock'

/** Own is a type of Rowlock's own operations, by its name in openapi.yaml without the group. */
export type Own<N extends OwnName> = components['schemas'][`rowlock.v1.${N}`]

type OwnName = keyof components['schemas'] extends infer K ? (K extends `rowlock.v1.${infer N}` ? N : never) : never
