import { deployment, expect, pod, template, test } from './fixtures'

const hostile = '<img src=x onerror=alert(1)>"\'&amp;'

test('every object has a page that says how it is, and what is gone stays to be seen', async ({
  cluster,
  open,
  page,
  shot,
  accessible,
}) => {
  const ns = cluster.namespace
  await cluster.apply(
    { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'settings', annotations: { note: hostile } }, data: { greeting: hostile } },
    { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'login' }, stringData: { password: hostile } },
    {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 'web' },
      spec: { selector: { app: 'web' }, ports: [{ name: 'http', port: 80 }] },
    },
    { apiVersion: 'v1', kind: 'ResourceQuota', metadata: { name: 'team' }, spec: { hard: { configmaps: '5', secrets: '1' } } },
    {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'Role',
      metadata: { name: 'reader' },
      rules: [{ apiGroups: [''], resources: ['pods'], verbs: ['get', 'list'] }],
    },
    deployment('web', 2, {
      template: template('web', 'nginx:1.28', {
        containers: [
          {
            name: 'main',
            image: 'nginx:1.28',
            env: [{ name: 'HELLO', valueFrom: { configMapKeyRef: { name: 'settings', key: 'greeting' } } }],
            readinessProbe: { httpGet: { path: '/', port: 80 } },
            resources: { requests: { cpu: '100m' } },
          },
        ],
      }),
    }),
    pod('crash', `echo 'panic: ${hostile.replaceAll("'", '')}'; exit 3`),
  )
  await cluster.available('web')
  const part = (name: string) => page.getByRole('main').getByRole('region', { name, exact: true })
  const main = page.getByRole('main')

  // A Pod that crashes says so, with what it said last.
  await cluster.until(
    'it has crashed',
    async () => ((await cluster.get('pods', 'crash')).status.containerStatuses?.[0].restartCount ?? 0) > 1,
  )
  await open(`pods/${ns}/crash`)
  await expect(main).toContainText('Container main exited with code 3')
  await expect(main.locator('.last-words')).toContainText('panic: <img src=x onerror=alert(1)>')
  await expect(part('Container main')).toContainText('busybox:1.36')
  await expect(part('Conditions')).toContainText('ContainersNotReady')
  await expect(part('Events')).toContainText('BackOff')
  await expect(part('History')).toContainText('kubelet')
  await shot('object-pod', { fullPage: true })

  // A Pod that runs leads to its node, its Service and what it is given.
  const [web] = (await cluster.list('pods')).filter((p: { metadata: { name: string } }) => p.metadata.name.startsWith('web-'))
  await open(`pods/${ns}/${web.metadata.name}`)
  await expect(main).toContainText('The container is running and ready.')
  await expect(part('Services').getByRole('link', { name: 'web' })).toBeVisible()
  await expect(part('Container main')).toContainText('http-get http://:80/ delay=0s')
  await accessible()

  // What it has used is drawn for the hour before: 20 minutes of it, with a measurement every 15 seconds.
  await cluster.clock.advance('20m')
  const measured = () => part('Usage').getByRole('img', { name: /^CPU/ }).locator('path')
  const many = /^M0 [^L]*(L[^L]+){70,}$/
  await expect(measured()).toHaveAttribute('d', many)
  const [later] = await cluster.apply({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'later' } })
  await cluster.clock.advance('3h')
  await open(`pods/${ns}/${web.metadata.name}?at=${later.metadata.resourceVersion}`)
  await expect(measured()).toHaveAttribute('d', many)
  await expect(part('Usage').locator('time')).toHaveCount(4)
  await shot('object-usage')
  await open(`pods/${ns}/${web.metadata.name}`)
  await part('Container main').getByRole('link', { name: 'settings' }).click()
  await expect(part('Data')).toContainText(hostile)
  await expect(part('Metadata')).toContainText(hostile)
  await expect(main).not.toContainText('last-applied')

  await open(`secrets/${ns}/login`)
  await expect(part('Data')).toContainText('password')
  await expect(part('Data')).not.toContainText('onerror')
  await part('Data').getByRole('button', { name: 'Show: password' }).click()
  await expect(part('Data')).toContainText(hostile)

  await open(`services/${ns}/web`)
  await expect(main).toContainText('2 of 2 endpoints are ready.')
  await part('Endpoints').getByRole('link', { name: web.spec.nodeName }).first().click()
  await expect(part('Capacity')).toContainText('of')
  await expect(main.getByRole('link', { name: web.metadata.name })).toBeVisible()
  await page.setViewportSize({ width: 380, height: 780 })
  await page.emulateMedia({ colorScheme: 'dark' })
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(380)
  await shot('object-node-small', { fullPage: true })
  await open(`resourcequotas/${ns}/team`)
  await expect(part('Used and hard limits')).toContainText('1 of 1')
  await page.setViewportSize({ width: 1280, height: 800 })
  await open(`roles.rbac.authorization.k8s.io/${ns}/reader`)
  await expect(part('rules')).toContainText('get, list')

  // A rollout that does not get on says why, in the table too, and offers the way back.
  const deployed = await cluster.get('deployments.apps', 'web')
  const containers = [{ ...deployed.spec.template.spec.containers[0], image: 'nginx:nonexistent' }]
  await cluster.apply(deployment('web', 2, { template: template('web', '', { containers }) }))
  await open(`deployments.apps/${ns}/web`)
  const cause = page.locator('.rollout-cause')
  await expect(cause).toContainText('1 new Pod cannot pull nginx:nonexistent (not found). 2 old Pods serve.')
  await shot('object-cause')
  await open(`deployments.apps?ns=${ns}`)
  await expect(page.getByRole('grid').getByRole('img', { name: 'warning' })).toBeVisible()
  await open(`deployments.apps/${ns}/web/tree`)
  await expect(page.getByRole('list', { name: 'Family of web' }).locator('.card.here').getByRole('img', { name: 'warning' })).toBeVisible()
  await open(`deployments.apps/${ns}/web`)
  await cause.getByRole('button', { name: 'Roll back to revision 1' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Roll back to revision 1' }).click()
  await expect(cause).toHaveCount(0)
  await expect(main.getByText('Successfully rolled out.')).toBeVisible()
  await cluster.request(
    'PATCH',
    `/apis/apps/v1/namespaces/${ns}/deployments/web`,
    { spec: { paused: true } },
    'application/merge-patch+json',
  )
  await expect(main.getByText('Paused. All replicas are at the newest revision.')).toBeVisible()
  await open(`deployments.apps?ns=${ns}`)
  await expect(page.getByRole('grid').getByRole('img', { name: 'idle' })).toBeVisible()

  // However deep a field is, there is room for it.
  await open(`deployments.apps/${ns}/web/summary`)
  const image = part('spec').getByText('nginx:1.28', { exact: true })
  for (const width of [1280, 380]) {
    await page.setViewportSize({ width, height: 780 })
    await expect.poll(async () => (await image.boundingBox())?.height).toBeLessThan(32)
    await shot(`object-fields-${width}`)
  }
  await page.setViewportSize({ width: 1280, height: 800 })

  // The menu opens and is walked through by the arrows.
  await open(`configmaps/${ns}/settings`)
  await page.locator('summary', { hasText: 'Actions' }).focus()
  await page.keyboard.press('ArrowDown')
  const entries = page.locator('.menu.actions li > :is(a, button:enabled)')
  await expect(entries.nth(1)).toBeVisible()
  await expect(async () => {
    await page.keyboard.press('ArrowDown')
    await expect(entries.nth(1)).toBeFocused({ timeout: 200 })
  }).toPass()
  await page.keyboard.press('Escape')
  await expect(page.locator('summary', { hasText: 'Actions' })).toBeFocused()
  await page.getByRole('link', { name: 'YAML', exact: true }).click()
  await expect(main.locator('.yaml-key').first()).toHaveText('apiVersion')

  // It is deleted while somebody looks: the page says when and by whom, and leads to its last moment.
  await open(`configmaps/${ns}/settings`)
  await expect(part('Data')).toContainText(hostile)
  await cluster.remove('configmaps', 'settings')
  await expect(main.getByText(/^Deleted .* by /)).toBeVisible()
  await shot('object-gone')
  await open(`configmaps/${ns}/settings/history`) // as for who comes later
  await expect(main.getByText(/^Deleted .* by /)).toBeVisible()
  await expect(main.getByRole('button', { name: /deleted/ })).toBeVisible()
  await expect(main.getByRole('button', { name: /created/ })).toBeVisible()
  await main.getByRole('link', { name: 'Show its last state' }).click()
  await expect(part('Data')).toContainText(hostile)
})
