// How the streams of a command share one websocket: in the protocol v5.channel.k8s.io, each message
// starts with its channel's number.

/**
 * protocol is the newest protocol of servers. The token is offered as a second protocol, because a
 * page cannot set headers of a websocket.
 */
const protocol = 'v5.channel.k8s.io'
const tokenProtocol = 'base64url.bearer.authorization.k8s.io.'

/** The numbers of the channels. */
const stdin = 0
const stdout = 1
const stderr = 2
const failure = 3
const resize = 4

/** protocols are what a websocket's client offers. */
export function protocols(token: string | null): string[] {
  if (token === null) return [protocol]
  let bytes = ''
  for (const b of new TextEncoder().encode(token)) bytes += String.fromCharCode(b)
  return [protocol, tokenProtocol + btoa(bytes).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')]
}

/** typed is the message for typed text. */
export const typed = (text: string): Uint8Array<ArrayBuffer> => message(stdin, text)

/** sized is the message for the terminal's size. */
export const sized = (columns: number, rows: number): Uint8Array<ArrayBuffer> =>
  message(resize, JSON.stringify({ Width: columns, Height: rows }))

function message(channel: number, text: string): Uint8Array<ArrayBuffer> {
  const body = new TextEncoder().encode(text)
  const all = new Uint8Array(1 + body.length)
  all[0] = channel
  all.set(body, 1)
  return all
}

/**
 * Heard is the content of a message from the server: output, the end of the command, or nothing.
 */
export type Heard = { readonly output: Uint8Array } | { readonly ended: Ended } | null

/** Ended is the end of a command: its exit code, or why there is none. */
export type Ended = { readonly code: number } | { readonly why: string }

/** heard parses a message. */
export function heard(data: ArrayBuffer): Heard {
  const all = new Uint8Array(data)
  const rest = all.subarray(1)
  if (all[0] === stdout || all[0] === stderr) return rest.length > 0 ? { output: rest } : null
  if (all[0] === failure && rest.length > 0) return { ended: endOf(new TextDecoder().decode(rest)) }
  return null
}

interface Status {
  readonly status?: string
  readonly reason?: string
  readonly message?: string
  readonly details?: { readonly causes?: readonly { readonly reason?: string; readonly message?: string }[] }
}

/** endOf parses the Status at the end of a command. */
export function endOf(text: string): Ended {
  let status: Status
  try {
    status = JSON.parse(text) as Status
  } catch {
    return { why: text }
  }
  if (status.status === 'Success') return { code: 0 }
  const code = Number(status.details?.causes?.find((c) => c.reason === 'ExitCode')?.message ?? Number.NaN)
  if (status.reason === 'NonZeroExitCode' && Number.isInteger(code)) return { code }
  return { why: status.message ?? text }
}
