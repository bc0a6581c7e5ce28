/**
 * Where the dashboard and the API are found.
 *
 * The dashboard is served at PREFIX/ui/ and the API at PREFIX/, where PREFIX is empty, or /forks/NAME for the dashboard of a fork.
 */
export interface Base {
  /** The dashboard's own path, with a slash at its end. */
  readonly ui: string
  /** What stands before every path of the API, without a slash at its end. */
  readonly api: string
  /** The name of the fork that the page shows; '' for the cluster that forks are made from. */
  readonly fork: string
}

/**
 * baseOf finds the prefixes in the path of a page. Names in paths cannot hold a slash, so the first /ui/ is the dashboard's, unless a
 * fork is named so.
 */
export function baseOf(pathname: string): Base {
  const at = pathname.indexOf('/ui/', pathname.startsWith('/forks/') ? '/forks/'.length : 0)
  if (at < 0) return { ui: '/', api: '', fork: '' } // Vite's own server while one works on the dashboard
  const api = pathname.slice(0, at)
  return { ui: pathname.slice(0, at + 4), api, fork: nameIn(api) }
}

/** nameIn is the name of the fork that is served at a path. */
function nameIn(api: string): string {
  if (!api.startsWith('/forks/')) return ''
  const name = api.slice('/forks/'.length)
  try {
    return decodeURIComponent(name)
  } catch {
    return name // not an encoding: no fork has this name, and the server says so
  }
}

/** apiOf is what stands before every path of the API of a fork, or for '' of the cluster that forks are made from. */
export const apiOf = (fork: string): string => (fork === '' ? '' : `/forks/${encodeURIComponent(fork)}`)

/** base is that of the page which is open. */
export const base: Base = baseOf(globalThis.location?.pathname ?? '/ui/')
