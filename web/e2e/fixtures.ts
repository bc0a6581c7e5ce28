/**
 * What the tests of the dashboard stand on. A test is a story of a person at a browser:
 *
 *     import { deployment, expect, test } from './fixtures'
 *
 *     test('a deployment is scaled', async ({ cluster, open, page, shot, accessible }) => {
 *       await cluster.apply(deployment('web', 3))             // set the scene through the API
 *       await cluster.available('web')
 *       await open(`deployments.apps/${cluster.namespace}/web`)  // go to a page of the dashboard
 *       await page.getByRole('button', { name: 'Scale' }).click()
 *       …
 *       await accessible()                                    // axe finds nothing
 *       await shot('scaled')                                  // e2e/shots/scaled.png, to be looked at
 *       expect((await cluster.get('deployments.apps', 'web')).spec.replicas).toBe(5)
 *     })
 *
 * - Each worker has one `rowlock serve` of the built program (`make build` first; ROWLOCK_BINARY names another), each test a namespace
 *   of its own in it, `cluster.namespace`, and a fresh browser context. Tests of one file run one after another; other files may
 *   run in the other worker, on its own server. What has no namespace (nodes, the clock, faults) is shared by the tests of a worker: put it back.
 * - The clock is put back for you: `cluster.clock.pause()`, `.advance('90s')`, `.speed(60)`. While it stands still,
 *   `.advance('0s')` waits until all is done that is due.
 * - A file that needs a server of its own, or with other flags, says so at its top: `test.use({ serve: ['--nodes=1'] })`. For a server
 *   with a login: `test.use({ serve: [`--token-file=${path}`], token: 'the token for cluster' })`.
 * - A test fails by itself if any page writes an error to the console (a violation of the policy is one, and so is an answer of 4xx or 5xx), throws,
 *   asks another origin, or puts a token into an address. What is meant to happen is allowed: `watch.allow(422)`, `watch.allow(/text/)`.
 * - Wait for what is to be seen, with `expect(locator)…`, or `cluster.until('what', async () => …)`; never for time to pass.
 * - Find things as people do: by role and name, by label, by text. Names are English unless `test.use({ locale: 'ja-JP' })`.
 * - `make test-ui UI=overview` runs the files of that name; in web/, `npx playwright test overview --headed`, and `TRACE=1` for a trace.
 */
import { AxeBuilder } from '@axe-core/playwright'
import { test as base, expect, type Locator } from '@playwright/test'
import { Cluster } from './cluster'
import { Server } from './server'
import { Watch } from './watchful'

export { Cluster, Refused, type Thing } from './cluster'
export { deployment, job, pod, template } from './manifest'
export { paste } from './paste'
export { expect }

interface Options {
  /** Further flags of `rowlock serve`. */
  serve: string[]
  /** The token with which the test itself calls the API; '' is none. */
  token: string
}

interface PerWorker {
  server: Server
}

interface PerTest {
  /** The API, and the test's namespace in it. */
  cluster: Cluster
  /** What must not happen in a page. */
  watch: Watch
  /** Goes to an address of the dashboard, as in open('pods?q=web'), and waits until it has loaded. */
  open: (address?: string) => Promise<void>
  /** Has a part of the page, named by its file, load only when what it returns is called. */
  late: (part: string) => Promise<() => void>
  /** Takes a picture of the page as it is: e2e/shots/NAME.png. */
  shot: (name: string, options?: { fullPage?: boolean }) => Promise<void>
  /** Checks the page, or what a CSS selector finds in it, with axe. */
  accessible: (within?: string) => Promise<void>
}

/** The rules that axe checks: WCAG 2.2 at levels A and AA. */
const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']

let namespaces = 0

export const test = base.extend<PerTest, PerWorker & Options>({
  serve: [[], { scope: 'worker', option: true }],
  token: ['', { scope: 'worker', option: true }],

  server: [
    async ({ serve }, use) => {
      const server = await Server.start(serve)
      await use(server)
      await server.stop()
    },
    { scope: 'worker', timeout: 180_000 },
  ],

  baseURL: async ({ server }, use) => use(server.url),

  cluster: async ({ serve, server, token }, use) => {
    const namespace = `test-${++namespaces}`
    const cluster = new Cluster(server.url, namespace, token)
    await cluster.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } })
    await cluster.until('the namespace has its account', () => cluster.get('serviceaccounts', 'default'))
    await use(cluster)
    await cluster.clock.restore()
    if (serve.length > 0) return // such a server ends with the file
    await cluster.remove('namespaces', namespace)
    await cluster.request('DELETE', `/api/v1/namespaces/${namespace}/pods?gracePeriodSeconds=0`)
  },

  watch: [
    async ({ context, server }, use) => {
      const watch = new Watch(context, new URL(server.url).origin)
      await use(watch)
      expect(watch.problems(), 'what must not happen in a page').toEqual([])
    },
    { auto: true },
  ],

  open: async ({ page }, use) => {
    await use(async (address = '') => {
      await page.goto(`/ui/${address}`)
      await expect(page.locator('main h1, main h2, dialog').first()).toBeVisible()
    })
  },

  late: async ({ page }, use) => {
    await use(async (part) => {
      let go: () => void = () => undefined
      const gone = new Promise<void>((done) => {
        go = done
      })
      await page.route(new RegExp(`/${part}-[^/]+\\.js$`), async (route) => {
        await gone
        await route.continue()
      })
      return go
    })
  },

  shot: async ({ page }, use) => {
    await use(async (name, options) => {
      await page.screenshot({ path: `e2e/shots/${name}.png`, animations: 'disabled', ...options })
    })
  },

  accessible: async ({ page }, use) => {
    await use(async (within) => {
      let axe = new AxeBuilder({ page }).withTags(rules)
      if (within) axe = axe.include(within)
      const { violations } = await axe.analyze()
      expect(
        violations.map((v) => `${v.id}: ${v.help}: ${v.nodes.map((n) => n.target.join(' ')).join(', ')}`),
        'what axe finds',
      ).toEqual([])
    })
  },
})

/** edge returns where the top or the bottom of an element is in the window, in pixels. */
export async function edge(of: Locator, y: 'top' | 'bottom'): Promise<number> {
  return of.evaluate((e, y) => e.getBoundingClientRect()[y], y)
}
