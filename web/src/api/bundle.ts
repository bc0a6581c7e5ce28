import { ApiError, type Request, refusal, type Status, send, urlOf } from './http'
import { linesOf } from './lines'
import { tryNow } from './link'

/**
 * A browser opens six connections to a server at most, over HTTP/1.1, and all tabs share them. So all that the dashboard follows comes
 * as one answer, by Rowlock's operation POST /rowlock/v1/streams. When something more is to be followed that answer is given up, and another asked
 * for: each stream goes on where it was, as it says itself where that is.
 */

/** Stream is something to follow. */
export interface Stream {
  readonly path: string
  readonly accept?: string
  /** query says from where on; it is asked each time that the stream is opened. */
  readonly query: () => NonNullable<Request['query']>
  /** opened is called each time that the server has begun it. */
  readonly opened?: () => void
  /** take is given what has come in one piece, in order, and says whether to go on. */
  readonly take: (lines: readonly unknown[]) => boolean
}

/** Line is what the server sends. Source: Rowlock's operation POST /rowlock/v1/streams. */
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

/** soon is how long, in milliseconds, others may come that are asked for in one go; later is for what has only to be given up. */
const soon = 15
const later = 2_000
/** unseen is how long a hidden tab keeps following, in milliseconds. */
const unseen = 60_000

const open = new Map<number, Open>()
let last = 0
let request: AbortController | null = null
let due: { timer: ReturnType<typeof setTimeout>; at: number } | null = null
let asleep = false

/** follow follows a stream until `take` or the signal ends it, or the server does. It throws ApiError where the server refuses or cannot be reached. */
export function follow(s: Stream, signal: AbortSignal): Promise<void> {
  return new Promise((done, failed) => {
    if (signal.aborted) {
      done()
      return
    }
    const id = ++last
    const stop = () => {
      close(id)
      reopen(later) // the server goes on with it until then
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

/** reopen asks for all streams in one answer, in some milliseconds or earlier. */
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
    if (!mine.signal.aborted && !(e instanceof ApiError)) void tryNow() // it broke off: the server may be gone
  }
  if (mine.signal.aborted) return
  request = null
  // Each stream decides by itself whether and when it is asked for again.
  for (const { id } of asked) close(id, failure)
}

/** lasting is a query of something that goes on: a watch, or a log that is followed already. */
const lasting = (q: NonNullable<Request['query']>): NonNullable<Request['query']> => (q.follow === true ? q : { ...q, watch: true })

/** hand gives lines to the streams that they belong to: what belongs together in one go. */
function hand(lines: readonly Line[]): void {
  for (const [id, of] of grouped(lines)) {
    const s = open.get(id)
    if (!s) continue
    if (of.some((l) => l.begun)) s.opened?.()
    const said = of.flatMap((l) => (l.line === undefined ? [] : [l.line]))
    if (said.length > 0 && !s.take(said)) close(id)
    const end = of.find((l) => l.ended)
    if (!end) continue
    open.delete(id) // it is not asked for again while the server is asked how it is
    if (end.error) void refusal(end.error, end.error.code ?? 0).then(s.end)
    else s.end()
  }
}

/** grouped puts lines together by the stream that they belong to, in the order in which they came. */
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
