import { deployment, expect, test } from './fixtures'
import { Line } from './line'

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
    // The page reports a request without an answer, and later that the server is back.
    await tab('Rollout').click()
    await page.route('**/deployments/web?*', (route) => (route.request().method() === 'PATCH' ? route.abort() : route.fallback()))
    await page.getByRole('main').getByRole('button', { name: 'Restart', exact: true }).click()
    await expect(page.getByText('The server did not answer this request. It answers again')).toBeVisible()
    await page.unrouteAll()
    await cluster.patch('deployments.apps', 'web', { metadata: { labels: { later: 'seen' } } })
    await page.reload()
    await tab('Edit').click()
    await expect(page.getByText(/Your unsaved text of .* is back/)).toBeVisible()
    await expect(editor).toContainText('# mine')
    await expect(page.getByRole('region', { name: 'This object has changed since you began' })).toBeVisible()
    await page.getByRole('button', { name: 'Discard it' }).click()
    await expect(editor).toContainText('later: seen')
    await expect(editor).not.toContainText('# mine')
    await expect(page.getByRole('img', { name: 'unsaved' })).toHaveCount(0)
  } finally {
    await page.goto('about:blank')
    await line.cut()
  }
})
