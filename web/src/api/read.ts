import { pause } from './feed'
import { ApiError, getJSON, type Request } from './http'

/**
 * readJSON reads a document. While the server does not answer it waits for the end of the outage, which the page tells once for all, and then
 * reads it: who asks once needs no retry of their own.
 */
export async function readJSON<T>(path: string, r: Omit<Request, 'method' | 'body'> = {}): Promise<T> {
  const signal = r.signal ?? new AbortController().signal
  for (let failures = 0; ; failures++) {
    try {
      return await getJSON<T>(path, r)
    } catch (e) {
      if (!(e instanceof ApiError) || e.code !== 0) throw e
      await pause(failures, signal)
      signal.throwIfAborted()
    }
  }
}
