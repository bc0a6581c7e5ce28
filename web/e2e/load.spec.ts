import { deployment, expect, test } from './fixtures'

// The part of the limit that only a browser can measure: what a page loads in addition to what the
// document names (size.js).
test('a first look at any page takes at most 120 kB of script', async ({ browser, cluster, server }) => {
  await cluster.apply(deployment('web', 1))
  const pod = (await cluster.pods(1, 'app=web'))[0].metadata.name
  for (const address of ['', 'pods', `deployments.apps/${cluster.namespace}/web`, `pods/${cluster.namespace}/${pod}/log`]) {
    const context = await browser.newContext({ baseURL: server.url }) // with nothing in its cache
    const page = await context.newPage()
    const sizes: Promise<number>[] = []
    page.on('requestfinished', (request) => {
      if (new URL(request.url()).pathname.endsWith('.js')) sizes.push(request.sizes().then((s) => s.responseBodySize))
    })
    await page.goto(`/ui/${address}`)
    await expect(page.locator('main h1').first()).toBeVisible()
    await page.evaluate(() => new Promise((done) => requestIdleCallback(done)))
    const total = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0)
    await context.close()
    expect(total, `the scripts of /ui/${address}`).toBeGreaterThan(5000)
    expect(total, `the scripts of /ui/${address}`).toBeLessThanOrEqual(120_000)
    process.stdout.write(`${total} bytes of compressed script for /ui/${address}\n`)
  }
})
