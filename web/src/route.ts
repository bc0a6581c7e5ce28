import { computed, signal } from '@preact/signals'
import { base } from './base'

/**
 * Route is the state held in the URL: the open page, the object on it, and the moment shown.
 *
 * `query` holds the page's own settings (filters, sorting) and `at`, the revision that is shown in
 * place of now; values are never empty.
 */
export type Route =
  | { page: 'overview'; query: Query }
  | { page: 'table'; resource: string; query: Query }
  | { page: 'object'; resource: string; namespace: string; name: string; tab: string; query: Query }
  | { page: 'other'; name: string; query: Query }

export type Query = Readonly<Record<string, string>>

/**
 * clusterScoped takes the place of the namespace in the addresses of cluster-scoped objects. No
 * namespace can have this name.
 */
const clusterScoped = '_'

/**
 * ownPage starts the addresses of pages that are not about one kind. No resource can have this
 * name.
 */
const ownPage = '-'

/**
 * parseRoute parses an address. An address that it does not understand is a page that does not
 * exist.
 */
export function parseRoute(path: string, search: string): Route {
  const query: Record<string, string> = {}
  for (const [key, value] of new URLSearchParams(search)) if (value !== '') query[key] = value
  const [resource = '', namespace = '', name = '', tab = '', ...rest] = path
    .split('/')
    .filter((s) => s !== '')
    .map(decode)
  if (resource === ownPage && namespace !== '') return { page: 'other', name: namespace, query }
  if (resource === '') return { page: 'overview', query }
  if (resource === ownPage || rest.length > 0) return { page: 'other', name: path, query }
  if (name === '') return { page: 'table', resource, query: namespace === '' ? query : { ns: namespace, ...query } }
  return { page: 'object', resource, namespace: namespace === clusterScoped ? '' : namespace, name, tab, query }
}

/** formatRoute is the address of a route, relative to the dashboard's path. */
export function formatRoute(r: Route): string {
  const search = new URLSearchParams(Object.entries(r.query).filter(([, v]) => v !== '')).toString()
  return pathOf(r).map(encodeURIComponent).join('/') + (search === '' ? '' : `?${search}`)
}

function pathOf(r: Route): string[] {
  switch (r.page) {
    case 'overview':
      return []
    case 'table':
      return [r.resource]
    case 'object':
      return [r.resource, r.namespace || clusterScoped, r.name, ...(r.tab === '' ? [] : [r.tab])]
    case 'other':
      return [ownPage, r.name]
  }
}

function decode(s: string): string {
  try {
    return decodeURIComponent(s)
  } catch {
    return s // not a valid encoding: nothing has this name, and the page says so
  }
}

const here = (): Route => parseRoute((globalThis.location?.pathname ?? base.ui).slice(base.ui.length), globalThis.location?.search ?? '')

const current = signal<Route>(here())

/** route is the route in the address bar. */
export const route = computed(() => current.value)

/** at is the revision that is shown, or null for now. */
export const at = computed(() => {
  const revision = Number(current.value.query.at)
  return Number.isSafeInteger(revision) && revision > 0 ? revision : null
})

/**
 * href is the address of a route, at the moment that is shown unless the route names another. `at:
 * ''` means now.
 */
export function href(r: Route): string {
  const moment = current.value.query.at
  const query = moment !== undefined && r.query.at === undefined ? { ...r.query, at: moment } : r.query
  return base.ui + formatRoute({ ...r, query })
}

/** objectHref is the address of an object. */
export function objectHref(resource: string, namespace: string | undefined, name: string, tab = ''): string {
  return href({ page: 'object', resource, namespace: namespace ?? '', name, tab, query: {} })
}

/** tableHref is the address of a table. */
export function tableHref(resource: string, query: Query = {}): string {
  return href({ page: 'table', resource, query })
}

/**
 * go navigates to a route. `replace` adds no entry to the history, for changes with every key or
 * frame.
 */
export function go(r: Route, replace = false): void {
  const url = href(r)
  if (replace) history.replaceState(history.state, '', url)
  else history.pushState(null, '', url)
  current.value = here()
}

/** Note is what a page stores in its history entry, for when the user returns to it. */
interface Note {
  readonly row?: string
}

/** noted returns the note of the current page. */
export const noted = (): Note => (history.state as Note | null) ?? {}

/** note stores a note for the current page. */
export function note(n: Note): void {
  history.replaceState({ ...noted(), ...n }, '')
}

/** setQuery changes settings of the current page; '' removes one. */
export function setQuery(change: Query, replace = true): void {
  go({ ...current.value, query: { ...current.value.query, ...change } }, replace)
}

/**
 * listenToHistory handles the browser's buttons, and links within the dashboard without reloading
 * the page.
 */
export function listenToHistory(): void {
  addEventListener('popstate', () => {
    current.value = here()
  })
  document.addEventListener('click', (e) => {
    const link = (e.target as Element | null)?.closest('a')
    if (!link || e.defaultPrevented || e.button !== 0 || e.metaKey || e.ctrlKey || e.shiftKey || e.altKey) return
    if (link.target !== '' || link.hasAttribute('download') || link.origin !== location.origin || !link.pathname.startsWith(base.ui)) return
    if (link.hash !== '' && link.pathname === location.pathname) return // a link within the page
    e.preventDefault()
    history.pushState(null, '', link.href)
    current.value = here()
    scrollTo(0, 0)
  })
}
