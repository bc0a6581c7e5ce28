import { signal } from '@preact/signals'
import type { KubeObject } from '../api/object'
import { base } from '../base'

/**
 * Draft is unsaved text. Drafts are kept per object in the session storage of the browser's tab, so
 * that they survive other pages, reloading and an outage; logging out drops them all. `from` is the
 * object that the text started from; `at` is when it was kept, in milliseconds of the browser's
 * wall clock.
 */
export interface Draft {
  readonly text: string
  readonly from?: KubeObject
  readonly at: number
}

/** Store is the part of the browser's storage that is used here. */
export type Store = Pick<Storage, 'getItem' | 'setItem' | 'removeItem' | 'key' | 'length'>

const prefix = 'rowlock-draft '

/**
 * mostDrafts is how many drafts are kept: the newest ones. mostText is the maximum length of one,
 * in characters; a browser keeps about five million in all.
 */
const mostDrafts = 20
const mostText = 400_000

/** draftKey is the key of an object's draft. Each fork has drafts of its own. */
export const draftKey = (id: string, namespace = '', name = '', api = base.api): string => JSON.stringify([api, id, namespace, name])

/** Drafts holds the drafts in a store. */
export class Drafts {
  /** count is the number of drafts. */
  readonly count = signal(0)

  constructor(private readonly store: Store | undefined) {
    this.count.value = this.#all().length
  }

  /** keep keeps a draft in place of an older one. It returns false if the draft is too long. */
  keep(key: string, d: Draft): boolean {
    const text = JSON.stringify(d)
    if (text.length > mostText) return false
    try {
      this.store?.setItem(prefix + key, text)
    } catch {
      return false // the store is full
    }
    const all = this.#all().sort((a, b) => b.at - a.at)
    for (const { key } of all.slice(mostDrafts)) this.store?.removeItem(key)
    this.count.value = Math.min(all.length, mostDrafts)
    return this.store !== undefined
  }

  /** of returns the draft of an object; undefined if there is none. */
  of(key: string): Draft | undefined {
    return read(this.store?.getItem(prefix + key) ?? null)
  }

  /** drop deletes a draft. */
  drop(key: string): void {
    this.store?.removeItem(prefix + key)
    this.count.value = this.#all().length
  }

  #all(): { key: string; at: number }[] {
    const found: { key: string; at: number }[] = []
    for (let i = 0; i < (this.store?.length ?? 0); i++) {
      const key = this.store?.key(i) ?? ''
      if (key.startsWith(prefix)) found.push({ key, at: read(this.store?.getItem(key) ?? null)?.at ?? 0 })
    }
    return found
  }
}

function read(text: string | null): Draft | undefined {
  if (text === null) return undefined
  try {
    const d = JSON.parse(text) as Partial<Draft> | null
    return typeof d?.text === 'string' && typeof d.at === 'number' ? (d as Draft) : undefined
  } catch {
    return undefined
  }
}

/** drafts are the drafts of this browser tab. */
export const drafts = new Drafts(globalThis.sessionStorage)

/**
 * askBeforeLeaving makes the browser ask before it closes a tab with drafts, which would be lost.
 */
export function askBeforeLeaving(): void {
  addEventListener('beforeunload', (e) => {
    if (drafts.count.peek() > 0) e.preventDefault()
  })
}
