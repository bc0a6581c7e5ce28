import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { createInterface } from 'node:readline'

/** patience bounds everything that is waited for, in milliseconds: far more than anything takes. */
export const patience = 60_000

/** Server is a `rowlock serve` of its own. */
export class Server {
  private constructor(
    private readonly child: ChildProcess,
    /** Its address, without a slash at its end. */
    readonly url: string,
    readonly kubeconfig: string,
    private readonly said: () => string,
  ) {}

  /** start starts one with further flags, and waits until it can serve. It keeps nothing, and ends with this process. */
  static async start(flags: readonly string[] = []): Promise<Server> {
    const binary = process.env.ROWLOCK_BINARY ?? resolve('..', 'bin', 'rowlock')
    if (!existsSync(binary)) throw new Error(`${binary} is missing: make build`)
    const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('ROWLOCK_') && name !== 'DATABASE_URL'))
    const child = spawn(binary, ['serve', '--ephemeral', '--listen=127.0.0.1:0', '--log-level=warn', ...flags], {
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const end = () => child.kill('SIGTERM')
    process.once('exit', end)
    child.once('exit', () => process.off('exit', end))
    let said = ''
    child.stderr.on('data', (text) => {
      said = (said + String(text)).slice(-20_000)
    })
    const ready = await readiness(child).catch((e) => {
      child.kill('SIGKILL')
      throw new Error(`${e}\n${said}`)
    })
    return new Server(child, ready.url, ready.kubeconfig, () => said)
  }

  /** stop ends it, and fails if it ended badly or before. */
  async stop(): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) throw new Error(`rowlock serve has ended by itself\n${this.said()}`)
    const ended = new Promise<number | null>((done) => this.child.once('exit', done))
    this.child.kill('SIGTERM')
    const last = setTimeout(() => this.child.kill('SIGKILL'), patience)
    const code = await ended
    clearTimeout(last)
    if (code !== 0) throw new Error(`rowlock serve ended with ${code}\n${this.said()}`)
  }
}

/** readiness is what the server says in the one line that it prints. */
function readiness(child: ChildProcess): Promise<{ url: string; kubeconfig: string }> {
  return new Promise((done, failed) => {
    if (child.stdout === null) throw new Error('its output cannot be read')
    const late = setTimeout(() => failed(new Error('rowlock serve did not become ready')), 2 * patience)
    child.once('error', failed)
    child.once('exit', (code) => failed(new Error(`rowlock serve ended with ${code}`)))
    createInterface(child.stdout).on('line', (line) => {
      const match = /^ready url=(\S+) kubeconfig=(\S+)/.exec(line)
      if (match === null) return
      clearTimeout(late)
      done({ url: match[1] ?? '', kubeconfig: match[2] ?? '' })
    })
  })
}
