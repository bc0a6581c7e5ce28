import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { deployment, expect, test } from './fixtures'

// The purpose of the policy: if a name or an annotation ever became markup, it would have no effect.
// The test also checks that all other tests would detect it.
test('injected markup has no effect and is detected', async ({ open, page, watch }) => {
  await open('nodes')
  await page.evaluate(() => {
    const script = document.createElement('script')
    const text = "document.title = 'pwned'"
    script.append(text)
    document.body.append(script)
    const style = document.createElement('style')
    style.append('body { display: none }')
    document.head.append(style)
    const image = document.createElement('img')
    image.src = 'http://192.0.2.1/image.png'
    document.body.append(image)
  })
  await expect.poll(() => page.evaluate(() => fetch('http://192.0.2.1/').catch((e) => String(e)))).toContain('Failed to fetch')
  const markup = await page.evaluate(() => {
    try {
      document.body.innerHTML = '<b>bold</b>'
      return 'done'
    } catch (e) {
      return String(e)
    }
  })
  expect(markup).toContain("requires 'TrustedHTML'")
  await expect(page).toHaveTitle(/Rowlock/)
  await expect(page.getByRole('main')).toBeVisible()
  expect(await page.evaluate(() => fetch('/ui/pods?token=secret').then((r) => r.status))).toBe(200)
  expect(await page.evaluate(() => fetch('/api/v1/nodes/none').then((r) => r.status))).toBe(404)
  await page.evaluate(() => void Promise.reject(new Error('unhandled')))

  const expected = [
    /TrustedScript/,
    /inline style/,
    /192\.0\.2\.1\/image\.png/,
    /TrustedHTML/,
    /a token in an address/,
    /status of 404/,
    /exception.*unhandled/,
  ]
  await expect.poll(() => expected.filter((one) => !watch.problems().some((text) => one.test(text)))).toEqual([])
  watch.allow(...expected, /192\.0\.2\.1/)
})

test('a link from elsewhere leads to the dashboard, and nothing else comes from there', async ({ page, server, watch }) => {
  const elsewhere = createServer((_, res) => {
    res.setHeader('Content-Type', 'text/html').end(`<a href="${server.url}/ui/pods">pods</a><iframe src="${server.url}/ui/"></iframe>`)
  })
  await new Promise<void>((done) => elsewhere.listen(0, '127.0.0.1', done))
  try {
    watch.allow(/another origin/, /status of 403/, /CORS policy/, /net::ERR_FAILED/)
    await page.goto(`http://localhost:${(elsewhere.address() as AddressInfo).port}/`)
    await expect(page.frameLocator('iframe').getByText('refused')).toBeVisible()
    expect(await page.evaluate((url) => fetch(`${url}/api/v1/pods`).catch((e) => String(e)), server.url)).toContain('Failed to fetch')
    await page.getByRole('link', { name: 'pods' }).click()
    await expect(page).toHaveURL(/\/ui\/pods$/)
    await expect(page.getByRole('main').getByRole('heading', { level: 1 })).toBeVisible()
  } finally {
    elsewhere.close()
    elsewhere.closeAllConnections()
  }
})

test('the dashboard of a fork shows the fork', async ({ accessible, cluster, page, shot }) => {
  const name = `from-${cluster.namespace}`
  await cluster.request('POST', '/rowlock/v1/forks', { name })
  try {
    const fork = cluster.within(`/forks/${name}`)
    await fork.apply(deployment('only-there', 1))
    await page.goto(`/forks/${name}`)
    await expect(page).toHaveURL(new RegExp(`/forks/${name}/ui/$`))
    await page.goto(`/forks/${name}/ui/deployments.apps/${cluster.namespace}/only-there`)
    await expect(page.getByRole('heading', { name: 'only-there' })).toBeVisible()
    await expect(page.getByRole('banner').getByText(`fork ${name}`)).toBeVisible()
    await expect(page).toHaveTitle(new RegExp(`^only-there .* Fork ${name} `))
    await page.getByRole('button', { name: 'Scale…' }).click()
    await expect(page.getByRole('dialog', { name: `Scale: Deployment ${cluster.namespace}/only-there` })).toContainText(`Fork ${name}`)
    const scale = page.getByRole('dialog')
    await scale.getByRole('spinbutton').fill('0')
    await expect(scale).toContainText('1 Pod would be removed')
    await shot('fork')
    await accessible()
    await scale.getByRole('button', { name: 'Cancel' }).click()
    await expect(scale).toHaveCount(0)
  } finally {
    await page.goto('about:blank') // what the page still asks for would not be there
    await cluster.request('DELETE', `/rowlock/v1/forks/${name}`)
  }
})
