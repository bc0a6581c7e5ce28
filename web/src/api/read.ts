import { pause } from './feed'
import { ApiError, getJSON, type Request } from './http'

/**
 * readJSON reads a document. During an outage, which the page reports once, it waits for the server
 * and then reads: callers that read once need no retry.
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
