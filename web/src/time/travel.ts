import { effect, signal } from '@preact/signals'
import { loading } from '../api/feed'
import { at, route, setQuery } from '../route'
import { type Change, lastChange, nextChange, type Scope } from './log'
import { history, learn } from './now'

/** Reach says which changes the steps go through: all, or those on the current page. */
export type Reach = 'all' | 'page'

/** reach is the chosen reach. */
export const reach = signal<Reach>('all')

/** scopeOfPage is the scope of the current page, null for everything. */
export function scopeOfPage(): Scope | null {
  const r = route.value
  switch (r.page) {
    case 'table':
      return { resource: r.resource, ...(r.query.ns ? { namespace: r.query.ns } : {}) }
    case 'object':
      return { resource: r.resource, name: r.name, ...(r.namespace === '' ? {} : { namespace: r.namespace }) }
    default:
      return r.query.ns ? { namespace: r.query.ns } : null
  }
}

const scope = (): Scope => (reach.value === 'page' ? scopeOfPage() : null) ?? {}

let wanted: number | null = null

/**
 * underway is true during a movement, which leaves one entry in the browser's history, at its
 * start.
 */
let underway = false

/**
 * show shows a moment: at once or, during a movement, as soon as the previous one has been loaded.
 */
export function show(revision: number, onTheWay = false): void {
  const bound = bounded(revision)
  if (!onTheWay) {
    arrive(String(bound))
    return
  }
  wanted = bound
  if (loading.peek() === 0) arriveAtWanted()
}

function arriveAtWanted(): void {
  if (wanted === null) return
  const to = wanted
  wanted = null
  if (to === at.peek()) return
  setQuery({ at: String(to) }, underway)
  underway = true
}

/** arrive ends a movement at a moment, or at now for ''. */
function arrive(moment: string): void {
  wanted = null
  setQuery({ at: moment }, underway)
  underway = false
}

// During a drag, each moment is requested when the previous one has been loaded.
effect(() => {
  if (loading.value === 0) arriveAtWanted()
})

/** bounded clamps a revision to the log. */
function bounded(revision: number): number {
  const h = history.peek()
  return h ? Math.min(Math.max(revision, h.oldest.revision, 1), h.newest.revision) : Math.max(1, revision)
}

/** backToNow leaves the past. */
export function backToNow(): void {
  arrive('')
}

let stepping = new AbortController()

/**
 * Stepped is the outcome of a step: the change that is shown now, or that there is no further one.
 */
export type Stepped = Change | 'none' | 'overtaken'

/** step shows the next or previous change. The previous change of now is the newest one. */
export async function step(direction: 1 | -1, leaveTrace = true): Promise<Stepped> {
  stepping.abort()
  stepping = new AbortController()
  const { signal } = stepping
  const here = at.peek()
  try {
    const found = await (direction === 1
      ? here === null
        ? undefined
        : nextChange(scope(), here, signal)
      : lastChange(scope(), here ?? (history.peek()?.newest.revision ?? 0) + 1, signal))
    if (signal.aborted || at.peek() !== here) return 'overtaken'
    if (!found) return 'none'
    learn([found])
    wanted = null
    setQuery({ at: String(found.revision) }, !leaveTrace)
    return found
  } catch (e) {
    if (signal.aborted) return 'overtaken'
    throw e
  }
}
