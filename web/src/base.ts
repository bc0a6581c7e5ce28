/**
 * Base says where the dashboard and the API are served.
 *
 * The dashboard is at PREFIX/ui/ and the API at PREFIX/, where PREFIX is empty, or /forks/NAME for
 * the dashboard of a fork.
 */
export interface Base {
  /** The dashboard's path, with a trailing slash. */
  readonly ui: string
  /** The prefix of every path of the API, without a trailing slash. */
  readonly api: string
  /** The name of the fork that the page shows; '' for the main cluster. */
  readonly fork: string
}

/**
 * baseOf finds the prefixes in the path of a page. Names in paths cannot contain a slash, so the
 * first /ui/ is the dashboard's, unless a fork has that name.
 */
export function baseOf(pathname: string): Base {
  const at = pathname.indexOf('/ui/', pathname.startsWith('/forks/') ? '/forks/'.length : 0)
  if (at < 0) return { ui: '/', api: '', fork: '' } // Vite's server during development
  const api = pathname.slice(0, at)
  return { ui: pathname.slice(0, at + 4), api, fork: nameIn(api) }
}

/** nameIn returns the name of the fork that is served at a path. */
function nameIn(api: string): string {
  if (!api.startsWith('/forks/')) return ''
  const name = api.slice('/forks/'.length)
  try {
    return decodeURIComponent(name)
  } catch {
    return name // not a valid encoding: no fork has this name, and the server says so
  }
}

/** apiOf is the prefix of every path of a fork's API, or of the main cluster's for ''. */
export const apiOf = (fork: string): string => (fork === '' ? '' : `/forks/${encodeURIComponent(fork)}`)

/** base is that of the current page. */
export const base: Base = baseOf(globalThis.location?.pathname ?? '/ui/')
