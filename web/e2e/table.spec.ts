import type { Page } from '@playwright/test'
import { deployment, edge, expect, test } from './fixtures'

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
  await cluster.clock.advance('60s') // by then they are measured
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
  await expect(page.getByRole('row', { selected: true })).toHaveAttribute('aria-rowindex', '3')
  const name = await page.getByRole('row', { selected: true }).getByRole('link').textContent()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1 })).toContainText(name ?? '?')
  await page.goBack()
  await expect(page.getByLabel('Search')).toHaveValue('API run')
  await expect(rows(page)).toHaveCount(2)
  // Back has kept the row. Escape leaves it, and then the search.
  await expect(page.getByRole('row', { selected: true })).toContainText(name ?? '?')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('row', { selected: true })).toHaveCount(0)
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
  const told = page.getByRole('alert')
  await expect(told).toHaveText('This is not a valid label selector: app=web;')
  // It stands apart from the field, and there is no empty table below it.
  expect(await edge(told, 'top')).toBeGreaterThan((await edge(page.getByLabel('Labels'), 'bottom')) + 2)
  await expect(page.getByRole('grid')).toHaveCount(0)
  await expect(page.locator('.count')).toHaveCount(0)
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

  // Columns are chosen for the kind, and stay so; what the Pods use is among them.
  const header = (name: string) => page.getByRole('columnheader', { name, exact: true })
  await expect(header('CPU')).toBeVisible()
  await expect(rows(page).first()).toContainText(/\dm.*\d[KM]i/)
  await page.locator('summary', { hasText: 'Columns' }).click()
  await page.getByRole('checkbox', { name: 'Restarts' }).uncheck()
  await page.getByRole('checkbox', { name: 'Node', exact: true }).check()
  await accessible()
  await page.keyboard.press('Escape')
  await expect(header('Node')).toBeVisible()
  await shot('table')
  await page.reload()
  await expect(rows(page)).toHaveCount(11)
  await expect(header('Node')).toBeVisible()
  await expect(header('Restarts')).toHaveCount(0)
  await expect(
    rows(page)
      .first()
      .getByRole('link', { name: /^node-/ }),
  ).toBeVisible()

  // The message of an Event is whole in its tooltip and on the Event's own page, where it leads.
  await open(`events?ns=${cluster.namespace}&q=Pulled`)
  const message = rows(page)
    .first()
    .getByRole('link', { name: /^Container image/ })
  const text = (await message.textContent()) ?? ''
  await expect(message.locator('xpath=..')).toHaveAttribute('title', text)
  await expect(message.locator('xpath=..')).toHaveCSS('text-overflow', 'ellipsis')
  await message.click()
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Event')
  await expect(page.getByRole('main').getByText(text)).toBeVisible()
})

test('rows of a table are acted on: one by keys and its menu, several at once after a preview', async ({
  cluster,
  late,
  open,
  page,
  shot,
  accessible,
}) => {
  await cluster.apply(deployment('api', 1), deployment('web', 2), deployment('worker', 1))
  await Promise.all([cluster.available('api'), cluster.available('web'), cluster.available('worker')])
  await open(`deployments.apps?ns=${cluster.namespace}&sort=Name`)
  await expect(rows(page)).toHaveCount(3)
  const menu = page.getByRole('region', { name: 'Actions for' })
  await rows(page).nth(1).getByRole('button', { name: 'Actions for web' }).click()
  await expect(menu).toHaveAccessibleName('Actions for web')
  await expect(menu.getByRole('button', { name: 'Restart' })).toBeEnabled()
  await expect(menu.getByRole('link', { name: 'Logs' })).toBeVisible()
  await accessible()
  await shot('table-menu')
  await page.keyboard.press('Escape')
  await expect(menu).toHaveCount(0)
  // The same by keys: the menu of the row, and through it.
  await page.keyboard.press('k')
  await page.keyboard.press('m')
  await expect(menu.getByRole('button', { name: 'Restart' })).toBeEnabled()
  await expect(menu.getByRole('link', { name: 'Summary' })).toBeFocused()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/api\/yaml/)
  await page.context().grantPermissions(['clipboard-write'])
  await page.getByRole('button', { name: 'Copy' }).click()
  await expect(page.getByText('Copied YAML.')).toBeAttached()
  await page.goBack()
  await expect(page.getByRole('row', { selected: true })).toContainText('api')

  await page.getByRole('checkbox', { name: 'Select all rows' }).click()
  await expect(page.getByRole('row', { selected: true })).toHaveCount(3)
  await page.getByRole('checkbox', { name: 'Select worker' }).click()
  await expect(page.getByRole('row', { selected: true })).toHaveCount(2)
  await page.getByRole('button', { name: 'Restart…' }).click()
  await page.getByRole('dialog', { name: 'Restart 2 workloads' }).getByRole('button', { name: 'Restart' }).click()
  await expect(page.getByText('Restarted: 2 workloads').first()).toBeVisible()
  await expect(page.getByRole('dialog')).toHaveCount(0)

  await page.getByRole('grid').focus()
  await page.keyboard.press(' ')
  await page.keyboard.press('j')
  await page.keyboard.press(' ')
  const loaded = await late('deletion')
  await page.keyboard.press('Delete')
  await page.keyboard.press('d') // no longer meant for the row
  loaded()
  const dialog = page.getByRole('dialog', { name: 'Delete 2 objects' })
  await expect(dialog).toContainText('dependents are deleted as well')
  await accessible()
  await shot('table-bulk')
  await dialog.getByRole('button', { name: 'Delete' }).click()
  await expect(rows(page)).toHaveCount(1)
  await expect(rows(page)).toContainText('worker')
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
  await expect.poll(async () => (await cursor.boundingBox())?.y).toBeCloseTo(there?.y ?? 0, 0)

  await page.keyboard.press('Home')
  await expect(rows(page).first()).toContainText('Running')
  await cluster.patch('deployments.apps', 'web', { spec: { replicas: 0 } })
  await cluster.pods(10)
  await expect(grid).toHaveAttribute('aria-rowcount', '11')

  // The choice of all namespaces is kept after opening an object.
  const [one] = await cluster.pods(10)
  await open(`pods?q=${one.metadata.name}`)
  await rows(page).getByRole('link', { name: one.metadata.name }).click()
  await expect(page.getByRole('heading', { level: 1 })).toContainText(one.metadata.name)
  await expect(page.getByLabel('Namespace')).toHaveValue('')
  await page.getByRole('link', { name: 'Pods', exact: true }).click()
  await expect(page).toHaveURL(/\/pods$/)
  await open(`pods?ns=${cluster.namespace}&sort=Name`)

  await page.setViewportSize({ width: 380, height: 780 })
  await expect(rows(page).first().getByRole('link')).toBeVisible()
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(380)
  await page.emulateMedia({ colorScheme: 'dark' })
  // The end of a generated name stays, the state stands beside it, and the bars leave room for the rows and for the line of time.
  const [first] = await cluster.list('pods')
  const link = page.getByRole('grid').getByRole('link', { name: first.metadata.name }) // numbers in names count as such in the table
  await expect(link.getByText(first.metadata.name.slice(-6), { exact: true })).toBeInViewport({ ratio: 1 })
  await expect(rows(page).first().getByText('Running')).toBeInViewport({ ratio: 1 })
  const bars = page.locator('header.bar, .scrubber')
  await expect(bars).toHaveCount(2)
  await expect.poll(() => bars.evaluateAll((all) => all.reduce((sum, e) => sum + e.getBoundingClientRect().height, 0))).toBeLessThan(110)
  await expect.poll(async () => (await page.getByRole('slider').boundingBox())?.width).toBeGreaterThan(120)
  await shot('table-small')
  await accessible()
})

test('one jumps to kinds, objects, pages and moments by typing, and the keys are explained', async ({
  cluster,
  late,
  open,
  page,
  shot,
  accessible,
}) => {
  await open(`pods?ns=${cluster.namespace}`)
  await expect(page.getByText('Nothing here.')).toBeVisible()
  const dialog = await late('jump')
  await page.keyboard.press(':')
  await page.keyboard.type('quota')
  await page.keyboard.press('Enter')
  await page.keyboard.press('x') // which comes too early for what it may be about
  dialog()
  await expect(page.getByRole('heading', { level: 1, name: 'ResourceQuotas' })).toBeVisible()
  await expect(page).toHaveURL(new RegExp(`resourcequotas\\?ns=${cluster.namespace}`))

  await cluster.apply(deployment('checkout', 1))
  await cluster.available('checkout')
  // An object of any kind, from any page, and by its namespace among others of its name.
  await page.keyboard.press('Control+k')
  const field = page.getByRole('combobox', { name: 'A kind, an object' })
  await expect(field).toBeFocused()
  await page.keyboard.type(`${cluster.namespace}/checkout deploy`)
  const listbox = page.getByRole('listbox', { name: 'Jump' })
  await expect(listbox).toHaveAttribute('aria-busy', 'false') // objects of all kinds have been looked up
  const option = listbox.getByRole('option', { name: `checkout Deployment · ${cluster.namespace}` })
  await expect(option).toHaveAttribute('aria-selected', 'true')
  await expect(field).toHaveAttribute('aria-activedescendant', (await option.getAttribute('id')) ?? '?')
  await field.fill('check')
  await expect(listbox.getByRole('option').nth(1)).toBeVisible()
  await accessible()
  await shot('jump')
  await page.keyboard.press('ArrowDown')
  await expect(listbox.getByRole('option').nth(1)).toHaveAttribute('aria-selected', 'true')
  await field.fill(`${cluster.namespace}/checkout deploy`)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1 })).toContainText('checkout')
  await expect(page.getByRole('dialog')).toHaveCount(0)

  // A moment, from within a field too, and back. Who goes nowhere writes on in the field.
  await open(`pods?ns=${cluster.namespace}`)
  await page.getByLabel('Search').focus()
  await page.keyboard.press('Control+k')
  await expect(field).toBeFocused()
  await page.keyboard.press('Escape')
  await page.keyboard.type('checkout')
  await expect(page.getByLabel('Search')).toHaveValue('checkout')
  await page.keyboard.press('Control+k')
  await page.keyboard.type('10 minutes ago')
  await expect(listbox.getByRole('option')).toHaveCount(1)
  await page.keyboard.press('Enter')
  await expect(page.getByText('You are viewing the past')).toBeVisible()
  // Keys pressed before the dialog opens, or before it has results, are not lost.
  await page.keyboard.press('Control+k')
  await page.keyboard.type('now')
  await page.keyboard.press('Enter')
  await expect(page.getByText('You are viewing the past')).toHaveCount(0)
  await page.keyboard.press('?')
  await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toContainText('Search in the rows')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await open('nothings.example.com')
  const unknown = page.getByRole('alert').filter({ hasText: 'The server does not serve the kind nothings.example.com.' })
  await expect(unknown).toBeVisible()

  // A kind that is defined while one looks is there, without reloading, and goes with its definition.
  const name = 'nothings.example.com'
  const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } }
  await cluster.apply({
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name },
    spec: {
      ...{ group: 'example.com', scope: 'Namespaced', names: { kind: 'Nothing', plural: 'nothings' } },
      versions: [{ name: 'v1', served: true, storage: true, schema }],
    },
  })
  await expect(page.getByRole('heading', { level: 1, name: 'Nothings' })).toBeVisible()
  await cluster.request('DELETE', `/apis/apiextensions.k8s.io/v1/customresourcedefinitions/${name}`)
  await expect(unknown).toBeVisible()
})
