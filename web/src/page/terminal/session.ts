import { type Signal, signal } from '@preact/signals'
import { bearer, urlOf } from '../../api/http'
import { tryNow } from '../../api/link'
import { type Ended, heard, protocols, sized, typed } from './channel'

/** Phase is the phase of a session: connecting, running, or ended. */
export type Phase = { readonly is: 'opening' } | { readonly is: 'open' } | { readonly is: 'ended'; readonly end: Ended }

/**
 * Session is one command in a container, with a terminal. It ends with the command, or when it is
 * closed.
 */
export class Session {
  readonly phase: Signal<Phase> = signal({ is: 'opening' })
  readonly #socket: WebSocket

  /** Starts the session at a path of the API. `show` receives the output. */
  constructor(path: string, query: Readonly<Record<string, string>>, command: readonly string[], show: (output: Uint8Array) => void) {
    const url = new URL(urlOf(path, { ...query, stdin: true, stdout: true, tty: true }), location.href)
    for (const word of command) url.searchParams.append('command', word)
    url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:'
    this.#socket = new WebSocket(url, protocols(bearer()))
    this.#socket.binaryType = 'arraybuffer'
    this.#socket.onopen = () => {
      this.phase.value = { is: 'open' }
    }
    this.#socket.onmessage = (e: MessageEvent<ArrayBuffer>) => {
      const said = heard(e.data)
      if (said === null) return
      if ('output' in said) show(said.output)
      else this.#end(said.ended)
    }
    this.#socket.onclose = (e) => {
      if (!e.wasClean) void tryNow() // the connection broke: the server may be down
      this.#end({ why: e.reason })
    }
  }

  #end(end: Ended): void {
    if (this.phase.value.is !== 'ended') this.phase.value = { is: 'ended', end }
  }

  /** type sends typed text. It does nothing before the session is open and after its end. */
  type(text: string): void {
    if (this.phase.value.is === 'open') this.#socket.send(typed(text))
  }

  /** resize sends the terminal's size. */
  resize(columns: number, rows: number): void {
    if (this.phase.value.is === 'open') this.#socket.send(sized(columns, rows))
  }

  /** close ends the session. */
  close(): void {
    this.#socket.close()
  }
}
