import { connect, createServer, type Server, type Socket } from 'node:net'

/** Line is a connection to a server that can be cut, as if the server were killed, and mended. */
export class Line {
  private server: Server | undefined
  private readonly sockets = new Set<Socket>()
  url = ''

  constructor(private readonly to: URL) {}

  async mend(): Promise<void> {
    const server = createServer((near) => {
      const far = connect(Number(this.to.port), this.to.hostname)
      for (const [one, other] of [
        [near, far],
        [far, near],
      ] as const) {
        this.sockets.add(one)
        one.on('error', () => other.destroy())
        one.on('close', () => other.destroy() && this.sockets.delete(one))
        one.pipe(other)
      }
    })
    const port = this.url === '' ? 0 : Number(new URL(this.url).port)
    await new Promise<void>((done) => server.listen(port, '127.0.0.1', done))
    this.url = `http://127.0.0.1:${(server.address() as { port: number }).port}`
    this.server = server
  }

  async cut(): Promise<void> {
    const closed = new Promise((done) => this.server?.close(done))
    for (const s of this.sockets) s.resetAndDestroy()
    await closed
  }
}
