import { signal } from '@preact/signals'
import type { KubeObject } from '../api/object'
import { base } from '../base'

/**
 * A draft is text that a person has written and not saved. Each is kept per object in the session storage of the browser's tab, so that it
 * survives other pages, reloading, and an outage; logging out drops them all. `from` is the object that the text began with; `at` is when
 * it was kept, in milliseconds of the browser's wall clock.
 */
export interface Draft {
  readonly text: string
  readonly from?: KubeObject
  readonly at: number
}

/** Store is what is used here of the browser's storage. */
export type Store = Pick<Storage, 'getItem' | 'setItem' | 'removeItem' | 'key' | 'length'>

const prefix = 'rowlock-draft '

/** mostDrafts are kept: the newest. mostText is how long one may be, in characters: a browser keeps some five million for all. */
const mostDrafts = 20
const mostText = 400_000

/** draftKey is where the draft of an object is kept. A fork's are its own. */
export const draftKey = (id: string, namespace = '', name = '', api = base.api): string => JSON.stringify([api, id, namespace, name])

/** Drafts holds the drafts in a store. */
export class Drafts {
  /** count is how many there are. */
  readonly count = signal(0)

  constructor(private readonly store: Store | undefined) {
    this.count.value = this.#all().length
  }

  /** keep keeps a draft in place of an older one, and says whether it could: one may be too long. */
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

  /** drop forgets a draft. */
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

/** drafts are those of this tab of the browser. */
export const drafts = new Drafts(globalThis.sessionStorage)

/** askBeforeLeaving has the browser ask before it closes a tab with drafts, as they end with it. */
export function askBeforeLeaving(): void {
  addEventListener('beforeunload', (e) => {
    if (drafts.count.peek() > 0) e.preventDefault()
  })
}
