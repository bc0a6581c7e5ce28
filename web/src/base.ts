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
}

/**
 * baseOf finds the prefixes in the path of a page. Names in paths cannot hold a slash, so the first /ui/ is the dashboard's, unless a
 * fork is named so.
 */
export function baseOf(pathname: string): Base {
  const at = pathname.indexOf('/ui/', pathname.startsWith('/forks/') ? '/forks/'.length : 0)
  if (at < 0) return { ui: '/', api: '' } // Vite's own server while one works on the dashboard
  return { ui: pathname.slice(0, at + 4), api: pathname.slice(0, at) }
}

/** base is that of the page which is open. */
export const base: Base = baseOf(globalThis.location?.pathname ?? '/ui/')
