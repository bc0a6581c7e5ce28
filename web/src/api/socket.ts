/** Ask is what is asked for over a websocket. The path, with its query, begins below the address of the API. */
export interface Ask {
  readonly path: string
  readonly accept: string
  readonly token: string | null
}

/**
 * overSocket sends a GET request over a websocket and returns the answer when it begins, as fetch does. A browser keeps no more than six
 * connections to a server without TLS, for all its windows together, so answers without an end must not take them: the seventh
 * request would wait for ever. It throws TypeError if the server cannot be reached.
 */
export function overSocket(at: URL, ask: Ask, signal?: AbortSignal): Promise<Response> {
  return new Promise((begin, fail) => {
    if (signal?.aborted) return fail(signal.reason)
    const socket = new WebSocket(at)
    socket.binaryType = 'arraybuffer'
    let body: ReadableStreamDefaultController<Uint8Array> | undefined
    const leave = () => {
      signal?.removeEventListener('abort', abort)
      socket.onmessage = null
      socket.onclose = null
      socket.close()
    }
    const end = (error?: unknown) => {
      leave()
      if (!body) fail(error)
      else if (error === undefined) body.close()
      else body.error(error)
    }
    const abort = () => end(signal?.reason)
    signal?.addEventListener('abort', abort)
    socket.onopen = () => socket.send(JSON.stringify({ path: ask.path, accept: ask.accept, token: ask.token ?? '' }))
    socket.onclose = ({ wasClean }) => end(wasClean && body ? undefined : new TypeError('the connection was lost'))
    socket.onmessage = ({ data }) => {
      if (typeof data !== 'string') return body?.enqueue(new Uint8Array(data as ArrayBuffer))
      const { code, type = '' } = JSON.parse(data) as { code: number; type?: string }
      const stream = new ReadableStream<Uint8Array>({
        start: (c) => {
          body = c
        },
        cancel: leave,
      })
      begin(new Response(stream, { status: code, headers: { 'Content-Type': type } }))
    }
  })
}

/** socketAt is where websockets of a dashboard are opened that is at a path of an origin. */
export function socketAt(origin: string, ui: string): URL {
  const at = new URL(`${ui}socket`, origin)
  at.protocol = at.protocol === 'https:' ? 'wss:' : 'ws:'
  return at
}
