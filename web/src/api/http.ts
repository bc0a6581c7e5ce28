import { signal } from '@preact/signals'
import { apiOf, base } from '../base'
import { answered, lost, outage, tryNow, unreachable } from './link'

/** Status is Kubernetes' response to a request that failed. */
export interface Status {
  readonly code?: number
  readonly reason?: string
  readonly message?: string
  readonly details?: { readonly causes?: readonly Cause[]; readonly retryAfterSeconds?: number }
}

/** Cause is one reason for an error, and its field. */
export interface Cause {
  readonly reason?: string
  readonly message?: string
  readonly field?: string
}

/** ApiError is a request that the server refused or that did not reach it (code 0). */
export class ApiError extends Error {
  readonly code: number
  readonly status: Status

  constructor(status: Status, code: number) {
    super(status.message ?? `HTTP ${code}`)
    this.code = status.code ?? code
    this.status = status
  }

  get reason(): string {
    return this.status.reason ?? ''
  }
}

const tokenKey = 'rowlock-token'

/** loginNeeded is true while the server requires a token and has none. */
export const loginNeeded = signal(false)

/** logIn stores a token until the browser's tab is closed. It is sent only to the server. */
export function logIn(token: string): void {
  sessionStorage.setItem(tokenKey, token)
  loginNeeded.value = false
}

/** logOut deletes the token and reloads the page, without what was read with the token. */
export function logOut(): void {
  sessionStorage.clear() // drafts, which were written with the token's rights, go too
  loginNeeded.value = true
  location.reload()
}

/** bearer returns the stored token, null for none. */
export const bearer = (): string | null => globalThis.sessionStorage?.getItem(tokenKey) ?? null

/** loggedIn reports whether a token is stored. */
export const loggedIn = (): boolean => bearer() !== null

/** Request holds the options of a request. */
export interface Request {
  readonly method?: string
  readonly accept?: string
  readonly type?: string
  readonly body?: unknown // a string or file is sent as is, everything else as JSON
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>>
  readonly signal?: AbortSignal
  /** The fork to ask, '' for the main cluster; undefined is the cluster of the page. */
  readonly of?: string
}

/** writer is the field manager under which the dashboard writes. */
const writer = 'rowlock-dashboard'

/** urlOf is the address of a path of the API. It omits undefined and empty parameters. */
export function urlOf(path: string, query: Request['query'] = {}, of = base.fork): string {
  const params = new URLSearchParams()
  for (const [key, value] of Object.entries(query)) if (value !== undefined && value !== '') params.set(key, String(value))
  const search = params.toString()
  return (of === base.fork ? base.api : apiOf(of)) + path + (search === '' ? '' : `?${search}`)
}

/**
 * send makes a request. It throws ApiError unless the response is a success, whose body is not read
 * yet.
 */
export async function send(path: string, r: Request = {}): Promise<Response> {
  const method = r.method ?? 'GET'
  const headers = new Headers({ Accept: r.accept ?? 'application/json' })
  const token = bearer()
  if (token !== null) headers.set('Authorization', `Bearer ${token}`)
  if (r.body !== undefined) headers.set('Content-Type', r.type ?? 'application/json')
  // Kubernetes indents responses to browsers by default.
  const query: Request['query'] = {
    pretty: 'false',
    ...(method === 'GET' || !path.startsWith('/api') ? {} : { fieldManager: writer }),
    ...r.query,
  }
  let answer: Response
  try {
    answer = await fetch(urlOf(path, query, r.of), {
      method,
      headers,
      signal: r.signal ?? null,
      cache: 'no-store',
      credentials: 'same-origin', // a client certificate is such a credential
      ...(r.body === undefined ? {} : { body: typeof r.body === 'string' || r.body instanceof Blob ? r.body : JSON.stringify(r.body) }),
    })
  } catch (e) {
    if (r.signal?.aborted) throw e
    lost()
    throw unreached(e)
  }
  if (answer.ok) {
    answered()
    return answer
  }
  if (answer.status === 401) loginNeeded.value = true
  const status = await whole(statusOf(answer), r.signal)
  if (unreachable(answer.status) && !('kind' in status)) {
    lost() // a proxy answered in place of the server
    throw new ApiError({ ...status, reason: 'Unreachable', code: 0 }, 0)
  }
  const e = await refusal(status, answer.status)
  if (e.code !== 0) answered()
  throw e
}

/**
 * refusal returns the error for a Status. A 503 may be about another service or about the server
 * itself, for example if it has lost its database; the latter is an outage.
 */
export async function refusal(status: Status, code: number): Promise<ApiError> {
  if ((status.code ?? code) === 503) {
    await tryNow()
    if (outage.peek() !== null) return new ApiError({ ...status, reason: 'Unreachable', code: 0 }, 0)
  }
  return new ApiError(status, code)
}

async function statusOf(answer: Response): Promise<Status> {
  const text = await answer.text()
  try {
    const status = JSON.parse(text) as Status & { kind?: string }
    if (status.kind === 'Status') return status
  } catch {
    // not a Status: the text is the message
  }
  return { code: answer.status, message: text.slice(0, 500) || answer.statusText }
}

/** unreached is the error of a request without a complete response. */
const unreached = (e: unknown): ApiError => new ApiError({ reason: 'Unreachable', message: e instanceof Error ? e.message : String(e) }, 0)

/**
 * whole reads the body of a response. If it breaks off, the server may be down, and the request
 * counts as unanswered.
 */
export async function whole<T>(body: Promise<T>, signal?: AbortSignal): Promise<T> {
  try {
    return await body
  } catch (e) {
    if (signal?.aborted || e instanceof SyntaxError) throw e
    await tryNow()
    throw unreached(e)
  }
}

/** getJSON reads a document. */
export async function getJSON<T>(path: string, r: Request = {}): Promise<T> {
  return await whole((await send(path, r)).json() as Promise<T>, r.signal)
}
