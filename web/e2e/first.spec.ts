import { deployment, expect, test } from './fixtures'

// A server of its own, as a day passes.
test.use({ serve: ['--nodes=3'] })

test('a browser is sent from the root to the dashboard, which shows the cluster', async ({ cluster, page, shot, accessible }) => {
  await cluster.apply(deployment('web', 3))
  await cluster.available('web')
  await page.goto('/')
  await expect(page).toHaveURL(/\/ui\/$/)
  await expect(page.getByRole('main')).toBeVisible()
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(page).toHaveTitle(/Rowlock/)
  await shot('overview')
  await accessible('header')
})

test('where nothing runs yet, the first steps are offered: deploy an example, break it, advance a day', async ({
  accessible,
  cluster,
  open,
  page,
  shot,
}) => {
  await open(`jobs.batch?ns=${cluster.namespace}`)
  await page.getByRole('link', { name: 'Create a Job' }).click()
  await expect(page.getByRole('textbox', { name: 'YAML of the objects' })).toContainText('kind: Job')
  await open(`?ns=${cluster.namespace}`)
  const steps = page.getByRole('region', { name: 'First steps' })
  await expect(steps.getByRole('button', { name: 'Break it' })).toBeDisabled()
  await accessible()
  await shot('first-steps')
  await steps.getByRole('button', { name: 'Deploy an example' }).click()
  await expect(steps.getByRole('link', { name: 'Show the Deployment' })).toBeVisible()
  await cluster.available('web')
  await steps.getByRole('button', { name: 'Break it' }).click()
  await expect(page.getByRole('region', { name: 'Problems' })).toContainText('3 Pods keep crashing.')
  await steps.getByRole('button', { name: 'Advance a day' }).click()
  await expect(steps.getByRole('link', { name: 'Show the CronJob' })).toBeVisible()
  await steps.getByRole('button', { name: 'Close' }).click()
  await expect(steps).toHaveCount(0)
})
