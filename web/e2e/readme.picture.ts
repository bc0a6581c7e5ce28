import { Cluster, deployment, expect, job, template, test } from './fixtures'
import { picture } from './picture'

// The scene: a shop with a rollout that went well and one that did not, and work that is done by the hour.
test('the pictures of the README', async ({ server, open, page }) => {
  test.setTimeout(240_000)
  const shop = new Cluster(server.url, 'shop')
  await shop.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } })
  await shop.until('the namespace has its account', () => shop.get('serviceaccounts', 'default'))
  await shop.clock.pause()
  const careful = { minReadySeconds: 20, strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 3, maxUnavailable: 2 } } }
  await shop.apply(deployment('web', 12, careful), deployment('search', 3), deployment('checkout', 4))
  await shop.apply(
    job('index', 'sleep $((5 + JOB_COMPLETION_INDEX)); [ $JOB_COMPLETION_INDEX != 7 ]', {
      completions: 24,
      parallelism: 8,
      completionMode: 'Indexed',
      backoffLimitPerIndex: 3,
    }),
  )
  await shop.clock.advance('1h')
  await shop.apply(deployment('web', 12, { ...careful, template: template('web', 'nginx:1.29') }))
  await shop.clock.advance('50s')

  await open('deployments.apps/shop/web')
  await page.getByRole('radio', { name: 'time' }).check()
  await expect(page.getByText(/Never fewer than 10 available/)).toBeVisible()
  await picture(page, 'rollout')

  await shop.clock.advance('2m')
  await shop.apply(deployment('checkout', 4, { progressDeadlineSeconds: 60, template: template('checkout', 'nginx:1.161') }))
  await shop.clock.advance('2m')
  await open()
  await expect(page.getByRole('link', { name: 'Deployments 3' })).toBeVisible()
  await expect(page.getByText('2 new Pods cannot pull nginx:1.161 (not found). 3 old Pods serve.')).toBeVisible()
  await expect(page.getByRole('region', { name: 'Newest warnings' }).getByRole('listitem').nth(3)).toBeVisible()
  await picture(page, 'overview')

  await open('jobs.batch/shop/index')
  await expect(page.getByRole('link', { name: /^Index 7, failed/ })).toBeVisible()
  await picture(page, 'job')

  // Why was this Pod made?
  const [pod] = await shop.list('pods', 'app=checkout')
  const { items } = await shop.request('GET', `/rowlock/v1/changes?resource=pods&uid=${pod.metadata.uid}&limit=1`)
  await open(`-/changes?at=${items[0].revision}&change=${items[0].revision}`)
  await expect(page.getByRole('article', { name: /^Change/ })).toContainText(/request by/)
  await picture(page, 'past')
})
