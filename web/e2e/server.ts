import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { createInterface } from 'node:readline'

/** patience bounds everything that is waited for, in milliseconds: far more than anything takes. */
export const patience = 60_000

/** Server is a `rowlock serve` of its own. */
export class Server {
  private constructor(
    private process: Process,
    private readonly flags: readonly string[],
    /** Its address, without a slash at its end. */
    readonly url: string,
    readonly kubeconfig: string,
  ) {}

  /**
   * start starts a server with further flags and waits until it can serve. It keeps no data unless
   * the flags name a data directory, and ends with this process.
   */
  static async start(flags: readonly string[] = []): Promise<Server> {
    const process = await launch(flags)
    return new Server(process, flags, process.url, process.kubeconfig)
  }

  /** kill ends it with SIGKILL. Its database ends with it. */
  async kill(): Promise<void> {
    const { child } = this.process
    const ended = new Promise((done) => child.once('exit', done))
    child.kill('SIGKILL')
    await ended
  }

  /**
   * restart starts it again after kill, at the same address and with further flags, and waits until
   * it can serve.
   */
  async restart(...more: readonly string[]): Promise<void> {
    this.process = await launch([...this.flags, `--listen=${new URL(this.url).host}`, ...more])
  }

  /** stop ends it, and fails if it ended badly or before. */
  async stop(): Promise<void> {
    const { child, said } = this.process
    if (child.exitCode !== null || child.signalCode !== null) throw new Error(`rowlock serve has ended by itself\n${said()}`)
    const ended = new Promise<number | null>((done) => child.once('exit', done))
    child.kill('SIGTERM')
    const last = setTimeout(() => child.kill('SIGKILL'), patience)
    const code = await ended
    clearTimeout(last)
    if (code !== 0) throw new Error(`rowlock serve ended with ${code}\n${said()}`)
  }
}

interface Process {
  readonly child: ChildProcess
  readonly url: string
  readonly kubeconfig: string
  /** What it has written to stderr lately. */
  readonly said: () => string
}

/** launch starts a process with further flags, and waits until it can serve. */
async function launch(flags: readonly string[]): Promise<Process> {
  const binary = process.env.ROWLOCK_BINARY ?? resolve('..', 'bin', 'rowlock')
  if (!existsSync(binary)) throw new Error(`${binary} is missing: make build`)
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('ROWLOCK_') && name !== 'DATABASE_URL'))
  const data = flags.some((f) => f.startsWith('--data-dir=')) ? [] : ['--ephemeral']
  const child = spawn(binary, ['serve', ...data, '--listen=127.0.0.1:0', '--log-level=warn', ...flags], {
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
  return { child, said: () => said, ...ready }
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
