import { deployment, expect, test } from './fixtures'

// The part of the limit that only a browser can measure: what a page loads in addition to what the
// document names (size.js).
test('a first look at any page takes at most 120 kB of script', async ({ cluster, context, page }) => {
  await cluster.apply(deployment('web', 1))
  const pod = (await cluster.pods(1, 'app=web'))[0].metadata.name

  const devtools = await context.newCDPSession(page)
  await devtools.send('Network.enable')
  await devtools.send('Network.setCacheDisabled', { cacheDisabled: true }) // so that each look is a first one

  let sizes: Promise<number>[] = []
  page.on('requestfinished', (request) => {
    if (new URL(request.url()).pathname.endsWith('.js')) sizes.push(request.sizes().then((s) => s.responseBodySize))
  })
  for (const address of ['', 'pods', `deployments.apps/${cluster.namespace}/web`, `pods/${cluster.namespace}/${pod}/log`]) {
    await page.goto('about:blank')
    sizes = []
    await page.goto(`/ui/${address}`)
    await expect(page.locator('main h1').first()).toBeVisible()
    await page.evaluate(() => new Promise((done) => requestIdleCallback(done)))
    const total = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0)
    expect(total, `the scripts of /ui/${address}`).toBeGreaterThan(5000)
    expect(total, `the scripts of /ui/${address}`).toBeLessThanOrEqual(120_000)
    process.stdout.write(`${total} bytes of compressed script for /ui/${address}\n`)
  }
})
