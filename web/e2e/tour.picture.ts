import { Cluster, deployment, expect, template, test } from './fixtures'
import { picture } from './picture'

/** width is how wide the pictures of docs/DASHBOARD.md are, in pixels. */
const width = 760

test.use({ serve: ['--nodes=3'] }) // a server of its own, without the scene of the other pictures

// The scene: a shop a day old, with a rollout that cannot pull its image, a Pod that crashes, and a nightly report.
test('the pictures of ten pages', async ({ server, open, page }) => {
  test.setTimeout(400_000)
  const shop = new Cluster(server.url, 'shop')
  const main = page.getByRole('main')
  const take = async (name: string, address: string, seen: string) => {
    await open(address)
    await expect(main).toContainText(seen)
    await expect(main.getByText('Loading…')).toHaveCount(0)
    await picture(page, `pages/${name}`, width)
  }
  await shop.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } })
  await shop.until('the namespace has its account', () => shop.get('serviceaccounts', 'default'))
  await shop.clock.pause()
  const crashing = {
    containers: [{ name: 'main', image: 'busybox:1.36', command: ['sh', '-c', 'echo "panic: cannot reach db:5432"; exit 3'] }],
  }
  const job = {
    template: { spec: { restartPolicy: 'Never', containers: [{ name: 'main', image: 'busybox:1.36', command: ['sleep', '900'] }] } },
  }
  await shop.apply(
    deployment('web', 6),
    deployment('checkout', 4, { progressDeadlineSeconds: 60 }),
    { apiVersion: 'batch/v1', kind: 'CronJob', metadata: { name: 'report' }, spec: { schedule: '0 * * * *', jobTemplate: { spec: job } } },
    {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 'web' },
      spec: { selector: { app: 'web' }, ports: [{ name: 'http', port: 80 }] },
    },
  )
  await shop.clock.advance('20h')
  await shop.apply(
    deployment('checkout', 4, { progressDeadlineSeconds: 60, template: template('checkout', 'nginx:1.161') }),
    deployment('worker', 1, { template: template('worker', '', crashing) }),
  )
  await shop.clock.advance('3m')
  const [worker] = await shop.list('pods', 'app=worker')
  const pod = `pods/shop/${worker.metadata.name}`

  await take('overview', '', 'nginx:1.161')
  await take('pods', 'pods?ns=shop', 'ImagePullBackOff')
  await take('pod', `${pod}/summary`, 'BestEffort')
  await take('logs', `${pod}/log`, 'panic')
  await take('service', 'services/shop/web/summary', 'of 6 endpoints')
  await take('node', 'nodes/_/node-1/summary', 'Capacity')
  await take('rollout', 'deployments.apps/shop/checkout', '0 of 2 available')
  await take('family', 'deployments.apps/shop/web/tree', 'web-')
  await take('cronjob', 'cronjobs.batch/shop/report', '0 * * * *')
  await page.setViewportSize({ width: 380, height: 750 })
  await take('phone', 'pods?ns=shop', 'ImagePullBackOff')
})
