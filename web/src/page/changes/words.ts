import { t } from '../../i18n'
import type { Change, Scope, Writer } from '../../time/log'
import type { State } from '../../ui/state'

/** verbState is the mark for a verb. None of them is a failure. */
export const verbState: Readonly<Record<Change['verb'], State>> = { created: 'ok', updated: 'idle', deleted: 'going' }

/**
 * whoOf returns the author of a change in short: a controller, or a client by user and program; ''
 * if unknown. Requests of browsers come from the dashboard.
 */
export function whoOf(w: Writer): string {
  if (w.controller) return w.controller
  const agent = w.userAgent ?? ''
  const program = agent.startsWith('Mozilla/') ? t('changes.dashboard', { browser: programOf(agent) }) : programOf(agent)
  if (w.user && program) return `${w.user} (${program})`
  return w.user || program
}

/**
 * programOf returns the name of a program from a User-Agent: kubectl for "kubectl/v1.36.0
 * (linux/amd64) kubernetes/1234567", or the name of the browser.
 */
export function programOf(agent: string): string {
  if (agent.startsWith('Mozilla/')) {
    const browser = ['Edg', 'Firefox', 'Chrome', 'Safari'].find((b) => agent.includes(`${b}/`))
    return browser === 'Edg' ? 'Edge' : (browser ?? 'Mozilla')
  }
  return (agent.split(/[/ ]/)[0] ?? '').slice(0, 60)
}

/** concerns reports whether a change is in a scope. */
export function concerns(c: Change, s: Scope): boolean {
  return (
    (!s.resource || s.resource === c.resource) &&
    (!s.namespace || s.namespace === c.namespace) &&
    (!s.name || s.name === c.name) &&
    (!s.uid || s.uid === c.uid)
  )
}

/** most is how many changes a list keeps while more arrive; older ones can be read again. */
export const most = 600

/**
 * withOlder appends a page of older changes to the list, newest first, without duplicates. Changes
 * newer than the oldest of the list are delivered to withNewer.
 */
export function withOlder(listed: readonly Change[], page: readonly Change[]): Change[] {
  return [...listed, ...page.filter((c) => !listed.some((o) => o.revision <= c.revision))]
}

/**
 * withNewer inserts new changes at the start of the list, newest first, without duplicates, and
 * drops the oldest.
 */
export function withNewer(listed: readonly Change[], come: readonly Change[]): Change[] {
  const newest = listed[0]?.revision ?? 0
  const fresh = come.filter((c) => c.revision > newest).reverse()
  return [...fresh, ...listed].slice(0, Math.max(most, 0))
}
