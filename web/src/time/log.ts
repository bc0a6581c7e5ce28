import type { KubeObject } from '../api/object'
import type { Own } from '../api/own'
import { readJSON } from '../api/read'

/** Change is one change of the log. Source: Rowlock's operation GET /rowlock/v1/changes. */
export type Change = Own<'Change'>

/** Writer is who made a change. */
export type Writer = Own<'ChangeWriter'>

/** Detail is a change with what it changed. */
export type Detail = Omit<Own<'ChangeDetail'>, 'object' | 'previous'> & { readonly object?: KubeObject; readonly previous?: KubeObject }

/** Causes are a change and the chain of changes that led to it. */
export type Causes = Own<'ChangeCauses'>

/** Point is a revision and when it was committed. */
export type Point = Own<'HistoryPoint'>

/** Changes is a page of the log. */
export type Changes = Own<'ChangeList'>

/** Scope selects changes; an empty one selects all. */
export interface Scope {
  readonly resource?: string
  readonly namespace?: string
  readonly name?: string
  readonly uid?: string
}

export const changesPath = '/rowlock/v1/changes'

/** readChanges reads a page of the log. */
export function readChanges(
  scope: Scope,
  page: { after?: number; before?: number; newest?: boolean; limit: number },
  signal?: AbortSignal,
): Promise<Changes> {
  return readJSON<Changes>(changesPath, { query: { ...scope, ...page }, ...(signal ? { signal } : {}) })
}

/** readChange reads a change in detail. */
export const readChange = (revision: number, signal: AbortSignal): Promise<Detail> =>
  readJSON<Detail>(`${changesPath}/${revision}`, { signal })

/** readCauses reads what led to a change. */
export const readCauses = (revision: number, signal: AbortSignal): Promise<Causes> =>
  readJSON<Causes>(`${changesPath}/${revision}/causes`, { signal })

/**
 * maxPages bounds how many pages without a match are read for one step; each takes the server some
 * seconds at most.
 */
const maxPages = 20

/** nextChange returns the first change of a scope after a revision, or undefined. */
export async function nextChange(scope: Scope, after: number, signal: AbortSignal): Promise<Change | undefined> {
  for (let i = 0; i < maxPages; i++) {
    const page = await readChanges(scope, { after, limit: 1 }, signal)
    if (page.items[0] || page.next === undefined) return page.items[0]
    after = page.next
  }
  return undefined
}

/** lastChange returns the last change of a scope before a revision, or undefined. */
export async function lastChange(scope: Scope, before: number, signal: AbortSignal): Promise<Change | undefined> {
  for (let i = 0; i < maxPages; i++) {
    const page = await readChanges(scope, { before, newest: true, limit: 1 }, signal)
    if (page.items[0] || page.next === undefined) return page.items[0]
    before = page.next
  }
  return undefined
}
