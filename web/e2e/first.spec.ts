import { deployment, expect, test } from './fixtures'

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
