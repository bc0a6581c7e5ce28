import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page, Request } from '@playwright/test'
import { type Cluster, deployment, expect, job, pod, template, test } from './fixtures'

const dir = mkdtempSync(join(tmpdir(), 'rowlock-rights-'))
const tokens = join(dir, 'tokens.csv')
process.on('exit', () => rmSync(dir, { recursive: true }))
writeFileSync(tokens, 'the-key,admin,1,"system:masters"\nthe-glass,viewer,2,"rowlock:viewers"\nthe-desk,bound,3\n', { mode: 0o600 })

test.use({ serve: [`--token-file=${tokens}`], token: 'the-key' })

/** harmless are the buttons that change nothing in the cluster; every other one needs a right to change something. */
const harmless = /^(Copy|Show.*|Hide|Clear.*|Actions for .*|Older changes|Start over|Compare again|Go to now|Log out|\d+ more)$/

/** harmlessPlaces have buttons that sort, open a change, replace a text, and save lines that are on the page. */
const harmlessPlaces = '[role=columnheader], .change-line, .starts, .log-tools'

/** scene makes an object of every kind that has a page, a snapshot, a fault and a fork. It returns the addresses of the pages. */
async function scene(cluster: Cluster): Promise<string[]> {
  const { namespace } = cluster
  const claim = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } }
  await cluster.apply(
    deployment('web', 1, {
      template: template('web', 'nginx:1.28', { volumes: [{ name: 'disk', persistentVolumeClaim: { claimName: 'disk' } }] }),
    }),
    pod('shell', 'while true; do sleep 60; done'),
    { apiVersion: 'v1', kind: 'Service', metadata: { name: 'web' }, spec: { selector: { app: 'web' }, ports: [{ port: 80 }] } },
    { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'settings' }, data: { a: '1' } },
    { apiVersion: 'v1', kind: 'PersistentVolumeClaim', metadata: { name: 'disk' }, spec: claim },
    {
      apiVersion: 'batch/v1',
      kind: 'CronJob',
      metadata: { name: 'hourly' },
      spec: { schedule: '0 * * * *', jobTemplate: { spec: job('x', 'true').spec } },
    },
  )
  await cluster.available('web')
  await cluster.until('the Pod runs', async () => (await cluster.get('pods', 'shell')).status?.phase === 'Running')
  await cluster.request('POST', '/rowlock/v1/faults', { for: '1d', image: { image: 'nobody:1.0' } })
  await cluster.request('POST', '/rowlock/v1/forks', { name: `fork-${namespace}` })
  await cluster.request('POST', '/rowlock/v1/snapshots', { name: `kept-${namespace}` })
  return [
    `?ns=${namespace}`,
    `pods?ns=${namespace}`,
    `pods/${namespace}/shell`,
    `pods/${namespace}/shell/log`,
    `pods/${namespace}/shell/terminal`,
    `pods/${namespace}/shell/network`,
    `pods/${namespace}/shell/history`,
    `deployments.apps/${namespace}/web`,
    `deployments.apps/${namespace}/web/tree`,
    `deployments.apps/${namespace}/web/log`,
    `deployments.apps/${namespace}/web/edit`,
    `services/${namespace}/web`,
    `configmaps/${namespace}/settings/yaml`,
    `persistentvolumeclaims/${namespace}/disk`,
    `cronjobs.batch/${namespace}/hourly`,
    `secrets?ns=${namespace}`,
    'nodes/_/node-1',
    'nodes',
    `-/changes?ns=${namespace}`,
    `-/new?ns=${namespace}`,
    '-/faults',
    '-/forks',
    '-/snapshots',
  ]
}

/** logIn keeps a token as the form does, for every page that is opened. */
async function logIn(page: Page, token: string): Promise<void> {
  await page.addInitScript((t) => sessionStorage.setItem('rowlock-token', t), token)
}

/** Asked are the requests of a page since it was opened. */
class Asked {
  private waiting = new Set<Request>()
  private readonly counts = new Map<string, number>()
  readonly refused: string[] = []

  constructor(page: Page) {
    page.on('request', (r) => {
      this.waiting.add(r)
      const key = `${r.method()} ${r.url()} ${r.postData() ?? ''}`
      this.counts.set(key, 1 + (this.counts.get(key) ?? 0))
    })
    page.on('requestfailed', (r) => this.waiting.delete(r))
    page.on('response', (r) => {
      this.waiting.delete(r.request())
      if (r.status() === 403 && r.request().method() !== 'GET') this.refused.push(`${r.request().method()} ${r.url()}`)
    })
  }

  clear(): void {
    this.waiting = new Set()
    this.counts.clear()
  }

  /** open is how many requests have no answer yet. Watches have been answered once they have begun. */
  get open(): number {
    return this.waiting.size
  }

  /** often are the requests made more than three times. */
  get often(): string[] {
    return [...this.counts].filter(([, times]) => times > 3).map(([request, times]) => `${times} times: ${request}`)
  }
}

/** walk opens pages one after another, and returns what is wrong with them. */
async function walk(page: Page, addresses: readonly string[]): Promise<string[]> {
  const wrong: string[] = []
  const asked = new Asked(page)
  const main = page.getByRole('main')
  for (const address of addresses) {
    asked.clear()
    await page.goto(`/ui/${address}`)
    await expect(main.locator('h1, h2').first()).toBeVisible()
    await expect(main.getByText('Loading…')).toHaveCount(0)
    const menu = main.locator('summary', { hasText: 'Actions' })
    if (await menu.isVisible()) await menu.click()
    await expect.poll(() => asked.open).toBe(0)
    // Buttons are off once the server has said which rights there are.
    await expect
      .poll(() => buttons(page))
      .toEqual([])
      .catch(async () => wrong.push(`${address}: ${(await buttons(page)).join(', ')}`))
    const text = await page.locator('body').innerText()
    const raw = /.*(is forbidden|cannot \w+ resource|in API group|cannot \w+ path).*/.exec(text)
    if (raw) wrong.push(`${address} shows what the server said: ${raw[0]}`)
    for (const request of asked.often) wrong.push(`${address} asks ${request}`)
  }
  return [...wrong, ...asked.refused.map((request) => `was refused: ${request}`)]
}

/** buttons are those that change something and are enabled, or are disabled without a reason. */
async function buttons(page: Page): Promise<string[]> {
  const all = await page
    .locator('main button')
    .evaluateAll(
      (found, places) =>
        (found as HTMLButtonElement[])
          .filter((b) => b.checkVisibility() && !b.closest(places))
          .map((b) => ({ name: (b.getAttribute('aria-label') ?? b.textContent ?? '').trim(), off: b.disabled, why: b.title })),
      harmlessPlaces,
    )
  return all
    .filter(({ name, off, why }) => !harmless.test(name) && !(off && why !== ''))
    .map(({ name, off }) => (off ? `${name} is off and does not say why` : `${name} is on`))
}

test('a viewer walks over every page: what would be refused is off, with the reason', async ({ cluster, page, watch }) => {
  const pages = await scene(cluster)
  watch.allow(403)
  await logIn(page, 'the-glass')
  expect(await walk(page, pages)).toEqual([])
  await page.goto(`/ui/pods/${cluster.namespace}/shell/terminal`)
  await expect(page.getByText('You do not have the right to create pods/exec')).toBeVisible()
  for (const [address, name] of [
    ['-/faults', 'Add fault'],
    ['-/forks', 'New fork'],
    ['-/snapshots', 'Load'],
  ] as const) {
    await page.goto(`/ui/${address}`)
    await expect(page.getByRole('main').getByRole('button', { name, exact: true })).toHaveAttribute(
      'title',
      /You do not have the right to post/,
    )
  }
})

test('a token for one namespace finds its way there, and is told what it may not see', async ({
  accessible,
  cluster,
  page,
  shot,
  watch,
}) => {
  const pages = await scene(cluster)
  const { namespace } = cluster
  await cluster.apply({
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'RoleBinding',
    metadata: { name: 'bound' },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'view' },
    subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'bound' }],
  })
  watch.allow(403)
  await logIn(page, 'the-desk')
  await page.goto('/ui/pods')
  await expect(page.getByRole('alert')).toContainText('You do not have the right to see pods in all namespaces. Choose a namespace')
  const chosen = page.getByRole('textbox', { name: 'Namespace' })
  await chosen.fill(namespace)
  await chosen.press('Enter')
  await expect(page.getByRole('grid')).toContainText('shell')
  await page.goto(`/ui/?ns=${namespace}`)
  await expect(page.getByRole('region', { name: 'Problems' })).toContainText('Nothing is wrong.')
  await expect(page.getByRole('main').getByRole('alert')).toHaveCount(0)
  await shot('bound')
  await accessible()
  expect(await walk(page, pages)).toEqual([])
})
