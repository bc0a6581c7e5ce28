import { en } from '../src/i18n/en'
import { messages as es } from '../src/i18n/es'
import { messages as ja } from '../src/i18n/ja'
import { messages as pt } from '../src/i18n/pt'
import { messages as zh } from '../src/i18n/zh'
import { expect, test } from './fixtures'

const tick = {
  apiVersion: 'batch/v1',
  kind: 'CronJob',
  metadata: { name: 'tick' },
  spec: {
    schedule: '*/5 * * * *',
    jobTemplate: {
      spec: { template: { spec: { restartPolicy: 'Never', containers: [{ name: 'main', image: 'busybox:1.36', command: ['true'] }] } } },
    },
  },
}

test('the clock is paused, advanced and made to jump, and says what is due', async ({ cluster, open, page, shot, accessible }) => {
  test.setTimeout(600_000)
  await cluster.clock.pause()
  await cluster.apply(tick, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'old' } })
  await open(`configmaps/${cluster.namespace}/old/summary`)
  const clock = page.locator('summary[aria-label^="Cluster clock"]')
  await expect(clock).toContainText('paused') // as somebody else has done it
  await clock.click()
  const panel = page.getByRole('region', { name: 'Cluster clock' })
  await expect(panel.getByRole('link', { name: `CronJob ${cluster.namespace}/tick` })).toBeVisible()
  await shot('clock')
  await accessible('.clock-panel')

  // In no language does what the clock says of itself take a second line of the bar, or the room of the namespace.
  for (const [language, texts] of Object.entries({ es, pt, ja, zh, en })) {
    await page.evaluate((l) => localStorage.setItem('rowlock-language', l), language)
    await open(`configmaps?ns=${cluster.namespace}`)
    await expect(page.locator('html')).toHaveAttribute('lang', language)
    const mark = page.locator('.clock-face.paused .clock-mark')
    await expect(mark).toHaveText(texts['clock.paused'])
    // "advancing" may be longer, and gone too soon to be measured.
    await mark.evaluate((e, words) => {
      if (e.firstChild) e.firstChild.nodeValue = words.reduce((one, other) => (other.length > one.length ? other : one))
    }, [texts['clock.paused'], texts['clock.advancing']].map(String))
    // Nor do the hours with two digits.
    await page.locator('.clock-face time').evaluate((e) => {
      const text = document.createTreeWalker(e, NodeFilter.SHOW_TEXT).nextNode()
      if (text) text.nodeValue = (text.nodeValue ?? '').replace(/(?<!\d)\d(?=:)/, '10')
    })
    for (const width of [1601, 1600, 1481, 1480, 1441, 1440, 1301, 1300, 1280, 1279, 800]) {
      await page.setViewportSize({ width, height: 800 })
      const room = () => page.evaluate(() => ['.bar', '.namespace'].map((s) => document.querySelector(s)?.getBoundingClientRect()))
      await expect.poll(async () => (await room())[0]?.height, `the bar at ${width} in ${language}`).toBeLessThan(60)
      await expect.poll(async () => (await room())[1]?.width, `the namespace at ${width} in ${language}`).toBeGreaterThan(125)
    }
  }
  await page.setViewportSize({ width: 1280, height: 800 })
  await open(`configmaps/${cluster.namespace}/old/summary`)
  await clock.click()

  // What is due is done when the clock jumps there.
  for (let i = 0; i < 5 && (await cluster.list('jobs.batch')).length === 0; i++) {
    const before = await cluster.clock.now()
    await panel.getByRole('button', { name: 'Jump to what is due next' }).click()
    await cluster.until('the clock has gone on', async () => (await cluster.clock.now()) > before)
    await cluster.clock.settled()
    await expect(panel.getByRole('button', { name: 'Jump to what is due next' })).toBeEnabled()
  }
  expect(await cluster.list('jobs.batch')).toHaveLength(1)

  // Ages follow the cluster's clock: they stop and continue with it.
  await expect(panel.getByRole('button', { name: '+1d' })).toBeEnabled()
  await panel.getByRole('button', { name: '+1d' }).click()
  await expect(page.getByRole('main')).toContainText(/2[34]h/)
  await expect(panel.getByRole('button', { name: 'Interrupt' })).toHaveCount(0) // an advance leaves the clock paused when it ends
  await expect(panel.getByRole('button', { name: 'Resume' })).toBeEnabled()
  await page.keyboard.press('Escape') // the button with the focus is gone
  await expect(panel).toBeHidden()
  await clock.click()
  await cluster.clock.resume()
  await expect(clock).not.toContainText('paused')
  await expect(panel.getByRole('button', { name: 'Pause' })).toBeVisible()

  await panel.getByRole('textbox', { name: /Another speed/ }).fill('0.5')
  await panel.getByRole('button', { name: 'Set' }).click()
  await expect(clock).toContainText('0.5×')

  // Escape closes the panel also after a press of one of its buttons.
  await panel.getByRole('button', { name: 'Pause' }).click()
  await expect(panel.getByRole('button', { name: 'Resume' })).toBeEnabled()
  await page.keyboard.press('Escape')
  await expect(panel).toBeHidden()

  // What is read is dated by the clock, however late that is known.
  const kinds = page.waitForResponse(/\/apis\?/)
  await page.route(/\/v1\/clock\?/, async (route) => {
    await kinds
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))
    await route.continue()
  })
  await open(`configmaps?ns=${cluster.namespace}`)
  await expect(page.getByRole('row').filter({ hasText: 'old' })).toContainText(/2[3-6]h/)
})
