import { pause } from './feed'
import { ApiError, getJSON, type Request, send, whole } from './http'

/** Reading is a request that changes nothing, so that it can be repeated. */
type Reading = Omit<Request, 'method' | 'body'>

/**
 * whenAnswered makes a request. During an outage, which the page reports once, it waits for the
 * server and then repeats the request: callers that read once need no retry.
 */
export async function whenAnswered<T>(ask: () => Promise<T>, signal = new AbortController().signal): Promise<T> {
  for (let failures = 0; ; failures++) {
    try {
      return await ask()
    } catch (e) {
      if (!(e instanceof ApiError) || e.code !== 0) throw e
      await pause(failures, signal)
      signal.throwIfAborted()
    }
  }
}

/** readJSON reads a document; during an outage it waits. */
export const readJSON = <T>(path: string, r: Reading = {}): Promise<T> => whenAnswered(() => getJSON<T>(path, r), r.signal)

/** readText reads a text; during an outage it waits. */
export const readText = (path: string, r: Reading = {}): Promise<string> =>
  whenAnswered(async () => await whole((await send(path, { accept: '*/*', ...r })).text(), r.signal), r.signal)
