import { Cluster, deployment, expect, job, template, test } from './fixtures'
import { picture } from './picture'

// The scene: a shop whose new checkout cannot be pulled.
test('the pictures of the README', async ({ server, open, page }) => {
  const shop = new Cluster(server.url, 'shop')
  await shop.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } })
  await shop.until('the namespace has its account', () => shop.get('serviceaccounts', 'default'))
  await shop.apply(deployment('web', 6), deployment('search', 3), deployment('checkout', 4), job('migrate', 'sleep 5; echo done'))
  for (const name of ['web', 'search', 'checkout']) await shop.available(name)
  await shop.clock.advance('1h')
  await shop.clock.pause()
  await shop.apply(deployment('checkout', 4, { progressDeadlineSeconds: 60, template: template('checkout', 'nginx:1.161') }))
  await shop.clock.advance('2m')

  await open()
  await expect(
    page
      .getByRole('main')
      .getByRole('link', { name: /checkout|Pods/ })
      .first(),
  ).toBeVisible()
  await picture(page, 'overview')
  await open('pods?ns=shop')
  await expect(page.getByRole('grid').getByRole('row')).toHaveCount(16)
  await picture(page, 'pods')
})
