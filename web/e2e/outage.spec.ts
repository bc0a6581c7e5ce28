import { connect, createServer, type Server, type Socket } from 'node:net'
import { deployment, expect, test } from './fixtures'

/** Line is a connection to a server that can be cut, as if the server were killed, and mended. */
class Line {
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

test('an outage is shown as one, nothing typed is lost in it, and it ends by itself', async ({
  accessible,
  cluster,
  page,
  server,
  shot,
  watch,
}) => {
  watch.allow(/another origin/, /Failed to load resource/, /ERR_/, /Failed to fetch/)
  await cluster.apply(deployment('web', 2))
  await cluster.available('web')
  const line = new Line(new URL(server.url))
  await line.mend()
  try {
    const tab = (name: string) => page.getByRole('navigation', { name: 'Deployment' }).getByRole('link', { name })
    await page.goto(`${line.url}/ui/deployments.apps/${cluster.namespace}/web/edit`)
    const editor = page.getByRole('textbox', { name: 'YAML of Deployment web' })
    await expect(editor).toContainText('replicas: 2')
    await editor.click()
    await editor.press('Control+Home')
    await page.keyboard.type('# mine\n')
    await tab('Rollout').click()
    const pause = page.getByRole('button', { name: 'Pause', exact: true }).first()
    await expect(pause).toBeEnabled()
    await expect(page.getByRole('img', { name: 'unsaved' })).toBeVisible()

    await line.cut()
    const told = page.getByRole('alert').filter({ hasText: 'The server has not answered since' })
    await expect(told).toHaveCount(1)
    await expect(pause).toBeDisabled()
    await expect(pause).toHaveAttribute('title', /does not answer/)
    await expect(page.locator('.scrubber-live.off')).toBeVisible()
    const clock = page.locator('.clock-face time')
    const then = await clock.textContent()
    await expect(page.getByText(/Trying again in [1-5] second/)).toBeVisible()
    await tab('History').click() // its script has not been loaded yet
    await shot('outage')
    await accessible('.outage')
    expect(await clock.textContent()).toBe(then)

    await line.mend()
    await page
      .getByRole('button', { name: 'Try now' })
      .click({ timeout: 1000 })
      .catch(() => undefined) // or it has been asked already
    await expect(told).toHaveCount(0)
    await expect(page.getByText('The log goes no further back.')).toBeVisible()
    await cluster.patch('deployments.apps', 'web', { metadata: { labels: { later: 'seen' } } })
    await page.reload()
    await tab('Edit').click()
    await expect(page.getByText(/Your unsaved text of .* is back/)).toBeVisible()
    await expect(editor).toContainText('# mine')
    await expect(page.getByRole('region', { name: 'Others have changed this object meanwhile' })).toBeVisible()
    await page.getByRole('button', { name: 'Discard it' }).click()
    await expect(editor).toContainText('later: seen')
    await expect(editor).not.toContainText('# mine')
    await expect(page.getByRole('img', { name: 'unsaved' })).toHaveCount(0)
  } finally {
    await page.goto('about:blank')
    await line.cut()
  }
})
