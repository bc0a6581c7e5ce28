import { expect, test } from './fixtures'

// A program may serve pages of unknown authors. They are shown, with their style sheets and scripts,
// but can access neither the API nor the dashboard.
const page = `<!DOCTYPE html><title>Shop</title><link rel="stylesheet" href="/style.css"><h1>The shop</h1><a href="/second.html">Second</a><ul></ul><script>
const say = (what) => { const li = document.createElement('li'); li.append(what); document.querySelector('ul').append(li) }
say('origin ' + self.origin)
try { say('stored ' + sessionStorage.length) } catch (e) { say('nothing stored') }
say('opener ' + self.opener)
fetch('/api/v1/namespaces').then((r) => say('asked ' + r.status), () => say('could not ask'))
fetch('/api/v1/namespaces/default/configmaps', {method: 'POST', mode: 'no-cors', body: '{}'}).then((r) => say('wrote ' + r.type), () => say('could not write'))
</script><script src="more.js"></script>`

const shop = [
  {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'pages' },
    data: {
      'index.html': page,
      'second.html': '<h1>The second page</h1>',
      'style.css': 'h1 { color: rgb(1, 2, 3) }',
      'more.js': "say('a script of its own'); fetch('style.css').then((r) => say('fetched ' + r.status), () => say('could not fetch'))",
    },
  },
  {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'shop', labels: { app: 'shop' } },
    spec: {
      containers: [
        {
          name: 'web',
          image: 'nginx:1.29',
          ports: [{ containerPort: 80, name: 'web' }],
          volumeMounts: [{ name: 'pages', mountPath: '/usr/share/nginx/html' }],
        },
        { name: 'cache', image: 'redis:8', ports: [{ containerPort: 6379 }] },
      ],
      volumes: [{ name: 'pages', configMap: { name: 'pages' } }],
    },
  },
  {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 'shop' },
    spec: { selector: { app: 'shop' }, ports: [{ port: 8080, targetPort: 'web', name: 'web' }] },
  },
]

test('a port is opened, and what it serves cannot act for whoever looks', async ({ accessible, cluster, open, page, shot, watch }) => {
  watch.allow(/status of 403/, /CORS policy/, /net::ERR_FAILED/) // what the page tries
  await cluster.apply(...shop)
  await cluster.until('the Service has an endpoint', async () => (await cluster.get('endpoints', 'shop')).subsets?.[0]?.addresses)
  await open(`services?ns=${cluster.namespace}`)
  await page.getByRole('link', { name: '8080/TCP' }).click()
  await expect(page).toHaveURL(/\/shop\/network$/)
  await accessible()
  await page.emulateMedia({ colorScheme: 'dark' })
  await accessible()
  await shot('ports-dark')
  const opening = page.waitForEvent('popup')
  await page.getByRole('link', { name: 'Open shop:8080' }).click()
  const served = await opening
  await expect(served.getByRole('heading', { name: 'The shop' })).toBeVisible()
  await expect(served.getByRole('heading', { name: 'The shop' })).toHaveCSS('color', 'rgb(1, 2, 3)')
  for (const said of [
    'a script of its own',
    'fetched 200',
    'origin null',
    'nothing stored',
    'opener null',
    'could not ask',
    'wrote opaque',
  ]) {
    await expect(served.getByRole('listitem').filter({ hasText: said })).toBeVisible()
  }
  expect(await cluster.list('configmaps', '', 'default')).toHaveLength(1) // kube-root-ca.crt
  await served.getByRole('link', { name: 'Second' }).click()
  await expect(served.getByRole('heading', { name: 'The second page' })).toBeVisible()

  await open(`pods/${cluster.namespace}/shop/network`)
  await expect(page.getByRole('link', { name: 'Open shop:80' })).toBeVisible()
  await expect(page.getByRole('row', { name: /^6379/ })).toContainText('Browsers do not speak this protocol.')
})

test('the requests between Pods are counted, by who asked whom and how it went', async ({ accessible, cluster, open, page, shot }) => {
  await cluster.apply(...shop)
  await cluster.until('the Service has an endpoint', async () => (await cluster.get('endpoints', 'shop')).subsets?.[0]?.addresses)
  await open(`services/${cluster.namespace}/shop/network`)
  await expect(page.getByText('No requests in the last ten minutes of cluster time.')).toBeVisible()
  await cluster.apply({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'customer' },
    spec: {
      containers: [
        {
          name: 'main',
          image: 'busybox',
          command: [
            'sh',
            '-c',
            'for i in 1 2 3 4; do wget -qO /dev/null http://shop:8080/; done; wget -T 1 -qO /dev/null http://shop:81/; sleep infinity',
          ],
        },
      ],
    },
  })
  await expect(page.getByText('5 requests in the last ten minutes of cluster time.')).toBeVisible()
  const rows = page.getByRole('row', { name: /customer/ })
  await expect(rows).toHaveCount(2)
  await expect(rows.nth(0).getByRole('cell')).toHaveText([/shop ← shop/, '4', '0', '0', '0'])
  await expect(rows.nth(1).getByRole('cell')).toHaveText([/No Pod ← shop/, '0', '0', '0', '1'])
  await accessible()
  await shot('traffic')
  await page.emulateMedia({ colorScheme: 'dark' })
  await accessible()
  await shot('traffic-dark')
  await rows.nth(0).getByRole('link', { name: 'customer' }).click()
  await page.getByRole('link', { name: 'Network' }).click()
  await expect(page.getByText('No ports are declared.')).toBeVisible()
  await expect(page.getByText('5 requests in the last ten minutes of cluster time.')).toBeVisible()
  const { metadata } = await cluster.get('pods', 'customer')
  await open(`services/${cluster.namespace}/shop/network?at=${metadata.resourceVersion}`)
  await expect(page.getByText('Only the requests of the last minutes are counted.')).toBeVisible()
})
