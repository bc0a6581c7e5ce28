import type { Page } from '@playwright/test'
import { deployment, expect, test } from './fixtures'

const rows = (page: Page) =>
  page
    .getByRole('grid')
    .getByRole('row')
    .filter({ has: page.getByRole('gridcell') })

test('a table is searched, sorted, filtered and walked through by keys, and its address says so', async ({
  cluster,
  open,
  page,
  shot,
  accessible,
  watch,
}) => {
  await cluster.apply(deployment('web', 11), deployment('api', 2))
  await Promise.all([cluster.available('web'), cluster.available('api')])
  await open(`pods?ns=${cluster.namespace}`)
  await expect(rows(page)).toHaveCount(13)
  await expect(page).toHaveTitle(`Pods · ${cluster.namespace} · Rowlock`)
  await accessible()

  await page.keyboard.press('/')
  await page.keyboard.type('API run')
  await expect(rows(page)).toHaveCount(2)
  await expect(page).toHaveURL(/q=API\+run/)
  await expect(page.getByText('2 of 13')).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('row', { selected: true })).toHaveCount(1)
  await page.keyboard.press('j')
  const name = await page.getByRole('row', { selected: true }).getByRole('link').textContent()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1 })).toContainText(name ?? '?')
  await page.goBack()
  await expect(page.getByLabel('Search')).toHaveValue('API run')
  await expect(rows(page)).toHaveCount(2)
  await page.keyboard.press('Escape')
  await expect(rows(page)).toHaveCount(13)

  const column = page.getByRole('columnheader', { name: 'Name' })
  await column.getByRole('button').click()
  await expect(column).toHaveAttribute('aria-sort', 'ascending')
  await expect(rows(page).first()).toContainText('api-')
  await column.getByRole('button').click()
  await expect(column).toHaveAttribute('aria-sort', 'descending')
  await expect(rows(page).first()).toContainText('web-')
  await expect(page).toHaveURL(/sort=Name&desc=1/)

  await page.getByLabel('Labels').fill('app=web;')
  await page.getByLabel('Labels').press('Enter')
  await expect(page.getByRole('alert')).toHaveText('This is no label selector: app=web;')
  await page.getByLabel('Labels').fill('app in (web)')
  await page.getByLabel('Labels').press('Enter')
  await expect(rows(page)).toHaveCount(11)
  watch.allow(400)
  await page.getByLabel('Fields').fill('spec.colour=red')
  await page.getByLabel('Fields').press('Enter')
  await expect(page.getByRole('alert')).toContainText('spec.colour')
  await expect(page.getByLabel('Fields')).toHaveAttribute('aria-invalid', 'true')
  await page.getByLabel('Fields').fill('spec.nodeName!=nobody')
  await page.getByLabel('Fields').press('Enter')
  await expect(rows(page)).toHaveCount(11)

  await page.getByRole('button', { name: 'All columns' }).click()
  await expect(page.getByRole('columnheader', { name: 'Node', exact: true })).toBeVisible()
  await shot('table')
  await page.reload()
  await expect(rows(page)).toHaveCount(11)
  await expect(page.getByRole('columnheader', { name: 'Node', exact: true })).toBeVisible()
})

test('a table is live, keeps the place of who reads it, and fits a small screen', async ({ cluster, open, page, shot, accessible }) => {
  await cluster.apply(deployment('web', 60))
  await cluster.available('web')
  await open(`pods?ns=${cluster.namespace}&sort=Name`)
  const grid = page.getByRole('grid')
  await expect(grid).toHaveAttribute('aria-rowcount', '61')
  await page.keyboard.press('End')
  const cursor = page.getByRole('row', { selected: true })
  await expect(cursor).toHaveAttribute('aria-rowindex', '61')
  const there = await cursor.boundingBox()
  // What is named so that it stands above comes in, and the row that one is at does not move on the screen.
  await cluster.apply(deployment('a', 10))
  await expect(grid).toHaveAttribute('aria-rowcount', '71')
  await expect(cursor).toHaveAttribute('aria-rowindex', '71')
  expect((await cursor.boundingBox())?.y).toBeCloseTo(there?.y ?? 0, 0)

  await page.keyboard.press('Home')
  await expect(rows(page).first()).toContainText('Running')
  await cluster.patch('deployments.apps', 'web', { spec: { replicas: 0 } })
  await cluster.pods(10)
  await expect(grid).toHaveAttribute('aria-rowcount', '11')

  await page.setViewportSize({ width: 380, height: 780 })
  await expect(rows(page).first().getByRole('link')).toBeVisible()
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(380)
  await page.emulateMedia({ colorScheme: 'dark' })
  await shot('table-small')
  await accessible()
})

test('kinds are found by typing, and the keys are explained', async ({ cluster, open, page }) => {
  await open(`pods?ns=${cluster.namespace}`)
  await expect(page.getByText('There are none.')).toBeVisible()
  await page.keyboard.press(':')
  await page.keyboard.type('quota')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1, name: 'ResourceQuotas' })).toBeVisible()
  await expect(page).toHaveURL(new RegExp(`resourcequotas\\?ns=${cluster.namespace}`))
  await page.keyboard.press('?')
  await expect(page.getByRole('dialog', { name: 'Keys' })).toContainText('Search in the rows')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await open('nothings.example.com')
  await expect(page.getByRole('alert')).toHaveText('The server serves no kind nothings.example.com.')
})
