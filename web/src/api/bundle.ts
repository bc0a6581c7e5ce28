import { ApiError, type Request, refusal, type Status, send, urlOf } from './http'
import { linesOf } from './lines'
import { tryNow } from './link'

/**
 * Over HTTP/1.1 a browser opens at most six connections to a server, shared by all tabs. So
 * everything that the dashboard follows comes in one response, from Rowlock's operation POST
 * /rowlock/v1/streams. To follow something more, that response is aborted and another requested;
 * each stream's query says where it continues.
 */

/** Stream is something to follow. */
export interface Stream {
  readonly path: string
  readonly accept?: string
  /** query returns where to start; it is called each time the stream is opened. */
  readonly query: () => NonNullable<Request['query']>
  /** opened is called each time the server has started the stream. */
  readonly opened?: () => void
  /** take receives lines that arrived together, in order, and returns whether to continue. */
  readonly take: (lines: readonly unknown[]) => boolean
}

/** Line is a line of the response. Source: Rowlock's operation POST /rowlock/v1/streams. */
export interface Line {
  readonly id: number
  readonly begun?: boolean
  readonly line?: unknown
  readonly ended?: boolean
  readonly error?: Status
}

interface Open extends Stream {
  readonly end: (e?: unknown) => void
}

/**
 * soon is how long, in milliseconds, requests are collected into one; later applies if streams only
 * have to end.
 */
const soon = 15
const later = 2_000
/** unseen is how long a hidden tab keeps following, in milliseconds. */
const unseen = 60_000

const open = new Map<number, Open>()
let last = 0
let request: AbortController | null = null
let due: { timer: ReturnType<typeof setTimeout>; at: number } | null = null
let asleep = false

/**
 * follow follows a stream until `take`, the signal or the server ends it. It throws ApiError if the
 * server refuses or cannot be reached.
 */
export function follow(s: Stream, signal: AbortSignal): Promise<void> {
  return new Promise((done, failed) => {
    if (signal.aborted) {
      done()
      return
    }
    const id = ++last
    const stop = () => {
      close(id)
      reopen(later) // until then the server continues the stream
    }
    signal.addEventListener('abort', stop, { once: true })
    open.set(id, {
      ...s,
      end: (e) => {
        signal.removeEventListener('abort', stop)
        if (e === undefined) done()
        else failed(e)
      },
    })
    reopen(soon)
  })
}

function close(id: number, e?: unknown): void {
  const one = open.get(id)
  open.delete(id)
  one?.end(e)
}

/** reopen requests all streams again within some milliseconds. */
function reopen(ms: number): void {
  const at = performance.now() + ms
  if (due && due.at <= at) return
  if (due) clearTimeout(due.timer)
  due = {
    at,
    timer: setTimeout(() => {
      due = null
      void ask()
    }, ms),
  }
}

async function ask(): Promise<void> {
  request?.abort()
  request = null
  if (open.size === 0 || asleep) return
  const mine = new AbortController()
  request = mine
  const asked = [...open].map(([id, s]) => ({
    id,
    path: urlOf(s.path, { pretty: 'false', ...lasting(s.query()) }).slice(urlOf('').length),
    accept: s.accept ?? 'application/json',
  }))
  let failure: unknown
  try {
    const answer = await send('/rowlock/v1/streams', {
      method: 'POST',
      query: { watch: true },
      body: { streams: asked },
      signal: mine.signal,
    })
    for await (const lines of linesOf(answer)) {
      if (mine.signal.aborted) return
      hand(lines.map((l) => JSON.parse(l) as Line))
    }
  } catch (e) {
    failure = e
    if (!mine.signal.aborted && !(e instanceof ApiError)) void tryNow() // the response broke off: the server may be down
  }
  if (mine.signal.aborted) return
  request = null
  // Each stream decides whether and when it is requested again.
  for (const { id } of asked) close(id, failure)
}

/**
 * lasting returns the query without what applies only to the first request: a watch or a log that
 * is already followed.
 */
const lasting = (q: NonNullable<Request['query']>): NonNullable<Request['query']> => (q.follow === true ? q : { ...q, watch: true })

/** hand delivers lines to their streams; lines of one stream are delivered together. */
function hand(lines: readonly Line[]): void {
  for (const [id, of] of grouped(lines)) {
    const s = open.get(id)
    if (!s) continue
    if (of.some((l) => l.begun)) s.opened?.()
    const said = of.flatMap((l) => (l.line === undefined ? [] : [l.line]))
    if (said.length > 0 && !s.take(said)) close(id)
    const end = of.find((l) => l.ended)
    if (!end) continue
    open.delete(id) // it is not requested again while the server is asked whether it is up
    if (end.error) void refusal(end.error, end.error.code ?? 0).then(s.end)
    else s.end()
  }
}

/** grouped groups lines by stream, in the order in which they arrived. */
export function grouped(lines: readonly Line[]): Map<number, Line[]> {
  const all = new Map<number, Line[]>()
  for (const l of lines) {
    const of = all.get(l.id)
    if (of) of.push(l)
    else all.set(l.id, [l])
  }
  return all
}

/**
 * sleepUnseen stops all streams of a tab that has been hidden for a while, so that it uses no
 * connection.
 */
export function sleepUnseen(): void {
  let timer: ReturnType<typeof setTimeout> | undefined
  document.addEventListener('visibilitychange', () => {
    clearTimeout(timer)
    const sleep = (on: boolean) => {
      if (asleep === on) return
      asleep = on
      void ask()
    }
    if (document.hidden) timer = setTimeout(() => sleep(true), unseen)
    else sleep(false)
  })
}
