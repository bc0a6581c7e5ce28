import type { Locator } from '@playwright/test'
import { expect, job, test } from './fixtures'

test.use({ timezoneId: 'America/New_York' })

test('a Job shows its indexes, its attempts and its back-off, and can be suspended', async ({ cluster, open, page, shot, accessible }) => {
  await cluster.clock.pause()
  await cluster.apply(
    job('indexed', 'sleep 30; [ $JOB_COMPLETION_INDEX != 2 ]', {
      completions: 5,
      parallelism: 3,
      completionMode: 'Indexed',
      backoffLimitPerIndex: 1,
    }),
  )
  await cluster.clock.advance('10s')
  await open(`jobs.batch/${cluster.namespace}/indexed`)
  await expect(page.getByText('0 of 5 done, 3 running')).toBeVisible()
  await expect(page.getByRole('link', { name: 'Index 0, in progress' })).toBeVisible()

  // The first three end, one of them badly: it waits before it is tried again.
  await cluster.clock.advance('25s')
  await expect(page.getByRole('link', { name: 'Index 1, finished' })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Index 2, warning, 1 failed attempt' })).toBeVisible()
  await expect(page.getByRole('link', { name: /indexed-2-.*exit code 1 · failed/ })).toBeVisible()
  await accessible()
  await shot('job')

  await page.getByRole('button', { name: 'Suspend' }).click()
  await expect(page.getByText(/^Suspended at 2 of 5/)).toBeVisible()
  expect((await cluster.get('jobs.batch', 'indexed')).spec.suspend).toBe(true)
  await page.getByRole('button', { name: 'Resume' }).click()
  await expect(page.getByRole('button', { name: 'Suspend' })).toBeVisible() // it has been resumed
  await cluster.clock.advance('5m')
  await expect(page.getByText('The Job has failed')).toBeVisible()
  await expect(page.getByText(/FailedIndexes: /)).toBeVisible()
  await expect(page.getByRole('link', { name: 'Index 2, failed, 2 failed attempts' })).toBeVisible()
  // Labels at the ends of the picture are whole.
  const drawn = page.getByRole('figure', { name: 'Attempts' }).locator('svg', { has: page.locator('text') })
  expect(await drawn.evaluate(textsOutside)).toEqual([])
})

test('a CronJob shows what is to come and what was, and runs when it is told to', async ({ cluster, open, page, shot, accessible }) => {
  await cluster.clock.pause()
  const { spec } = job('template', 'echo hello; sleep 20')
  await cluster.apply({
    apiVersion: 'batch/v1',
    kind: 'CronJob',
    metadata: { name: 'hourly' },
    spec: { schedule: '30 * * * *', jobTemplate: { spec } },
  })
  await open(`cronjobs.batch/${cluster.namespace}/hourly`)
  await expect(page.getByText('It has not run yet.').or(page.getByRole('figure', { name: 'Runs' }))).toBeVisible()
  const next = page.getByRole('heading', { name: 'Next runs' }).locator('xpath=following-sibling::ol').getByRole('listitem')
  await expect(next).toHaveCount(8)
  await expect(next.first()).toContainText(/:30:00.* in \d/)
  await expect(page.getByText('Waiting for the next run')).toBeVisible()
  await expect(page.getByText('Times are in America/New_York.')).toBeVisible() // and the schedule is in UTC

  await cluster.clock.advance('5h')
  await expect(
    page.getByRole('figure', { name: 'Runs' }).getByRole('link', { name: /hourly-\d+ · 20s · Complete · finished/ }),
  ).toHaveCount(5) // three are kept; of the others the log knows
  await accessible()
  await shot('cronjob')
  // Its text is as large in any window, and whole.
  const drawn = page.getByRole('figure', { name: 'Runs' }).locator('svg', { has: page.locator('text') })
  const size = async (of: Locator) => (await of.boundingBox()) ?? { width: 0, height: 0 }
  const letters = (await size(drawn.locator('text').first())).height
  const clipped = () => drawn.evaluate(textsOutside)
  expect(await clipped()).toEqual([])
  await page.setViewportSize({ width: 2200, height: 800 })
  await expect.poll(async () => (await size(drawn)).width).toBeGreaterThan(1300)
  expect((await size(drawn.locator('text').first())).height).toBeCloseTo(letters, 0)
  expect(await clipped()).toEqual([])
  await page.setViewportSize({ width: 380, height: 800 })
  await expect.poll(async () => (await size(drawn)).width).toBeLessThan(600)
  expect((await size(drawn.locator('text').first())).height).toBeCloseTo(letters, 0)
  expect(await clipped()).toEqual([])
  // The lines of the grid do not cross the letters.
  await expect(drawn.locator('.bar-text').first()).toHaveCSS('paint-order', 'stroke')
  await page.setViewportSize({ width: 1280, height: 800 })

  await page.getByRole('button', { name: 'Run now' }).click()
  const made = page.getByRole('status').getByRole('link', { name: /^hourly-manual-/ })
  await expect(made).toBeVisible()
  await made.click()
  await expect(page.getByText('0 of 1 done, 1 running')).toBeVisible()

  await page.goBack()
  await page.getByRole('button', { name: 'Suspend' }).click()
  await expect(page.getByText('Suspended: no runs are started')).toBeVisible()
  await expect(next).toHaveCount(0)
})

/** textsOutside returns the texts of a picture that it cuts off. */
function textsOutside(picture: Element): string[] {
  const { left, right } = picture.getBoundingClientRect()
  return [...picture.querySelectorAll('text')]
    .filter((text) => text.getBoundingClientRect().left < left - 1 || text.getBoundingClientRect().right > right + 1)
    .map((text) => text.textContent ?? '')
}
