import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, Page } from '@playwright/test'
import { type Cluster, deployment, expect, job, test } from './fixtures'
import { Line } from './line'
import { Watch } from './watchful'

// A port outside the ephemeral range, so that nothing takes it while the server is down.
const port = 20_000 + (process.pid % 10_000)
const data = mkdtempSync(join(tmpdir(), 'rowlock-kill-'))

test.use({ serve: [`--data-dir=${data}`, `--listen=127.0.0.1:${port}`] })
process.once('exit', () => rmSync(data, { recursive: true, force: true })) // the server ends before the worker does

const counting = `
apiVersion: v1
kind: Pod
metadata: {name: counter}
spec:
  terminationGracePeriodSeconds: 0
  containers:
  - {name: main, image: busybox, command: [sh, -c, 'i=0; while true; do i=$((i+1)); echo "count $i."; sleep 1; done']}
`

/** Place is a page that is open when the server is killed. */
interface Place {
  readonly address: string
  /** What is done or checked before, when the page is there. */
  readonly before?: (page: Page) => Promise<void>
  /** What is done or checked while the server does not answer. */
  readonly during?: (page: Page) => Promise<void>
  /** What is checked after it has come back and the cluster has changed. */
  readonly after: (page: Page) => Promise<void>
}

/** raw matches what only the server and programmers say. */
const raw = /Expired:|resource ?version|too old|required more recent|410|TypeError|failed to fetch/i

const main = (page: Page) => page.getByRole('main')
const button = (page: Page, name: string) => main(page).getByRole('button', { name, exact: true })
const yaml = (page: Page, name: RegExp) => page.getByRole('textbox', { name })

/** write types at the start of an editor. */
async function write(page: Page, name: RegExp): Promise<void> {
  await yaml(page, name).click()
  await page.keyboard.press('Control+Home')
  await page.keyboard.type('# typed\n')
}

/** shown returns the numbers of the log lines on the screen. */
const shown = async (page: Page): Promise<number[]> =>
  (await page.getByRole('log').locator('.line').allTextContents()).map((text) => Number(/count (\d+)\./.exec(text)?.[1]))

/** places are pages of every kind, by name. */
function places({ namespace }: Cluster): Record<string, Place> {
  let last = 0 // the last log line before the kill
  return {
    overview: {
      address: `?ns=${namespace}`,
      before: (page) => expect(page.getByRole('region', { name: 'Problems' })).toContainText('Nothing is wrong'),
      after: (page) => expect(page.getByRole('region', { name: 'Problems' })).toContainText('nginx:1.161'),
    },
    table: {
      address: `deployments.apps?ns=${namespace}`,
      before: (page) => expect(page.getByRole('row', { name: /web/ })).toContainText('2/2'),
      after: (page) => expect(page.getByRole('row', { name: /web/ })).toContainText('3/3'),
    },
    pod: {
      address: `pods/${namespace}/counter`,
      before: (page) => expect(main(page)).toContainText('Running'),
      after: (page) => expect(main(page)).toContainText('since=the-kill'),
    },
    rollout: {
      address: `deployments.apps/${namespace}/web`,
      before: (page) => expect(button(page, 'Restart')).toBeEnabled(),
      during: (page) => expect(button(page, 'Restart')).toBeDisabled(),
      after: async (page) => {
        await expect(main(page)).toContainText('3 of 3')
        await expect(button(page, 'Restart')).toBeEnabled()
      },
    },
    tree: {
      address: `deployments.apps/${namespace}/web/tree`,
      before: (page) => expect(main(page).getByRole('link', { name: /^web-/ })).not.toHaveCount(0),
      after: (page) => expect(main(page)).toContainText('3'),
    },
    log: {
      address: `pods/${namespace}/counter/log`,
      before: async (page) => {
        await expect.poll(async () => (await shown(page)).length).toBeGreaterThan(1)
      },
      during: async (page) => {
        last = (await shown(page)).at(-1) ?? 0
      },
      after: async (page) => {
        await expect.poll(async () => (await shown(page)).at(-1)).toBeGreaterThan(last + 1)
        const all = await shown(page)
        expect(all, 'each line once, none missing').toEqual(all.map((_, i) => (all[0] ?? 0) + i))
      },
    },
    changes: {
      address: `-/changes?ns=${namespace}`,
      before: (page) => expect(main(page)).toContainText('counter'),
      after: (page) => expect(main(page)).toContainText('broken'),
    },
    edit: {
      address: `configmaps/${namespace}/options/edit`,
      before: async (page) => {
        await write(page, /YAML of ConfigMap/)
        await expect(button(page, 'Preview changes')).toBeEnabled()
      },
      during: async (page) => {
        await page.keyboard.type('# more\n') // typing goes on
        await expect(button(page, 'Preview changes')).toBeDisabled()
      },
      after: async (page) => {
        await expect(yaml(page, /YAML of ConfigMap/)).toContainText('# typed# more')
        await expect(page.getByRole('region', { name: 'This object has changed since you began' })).toBeVisible()
        await expect(button(page, 'Preview changes')).toBeEnabled()
      },
    },
    create: {
      address: `-/new?ns=${namespace}&kind=configmaps`,
      before: (page) => write(page, /YAML of the objects/),
      during: (page) => expect(button(page, 'Check only')).toBeDisabled(),
      after: async (page) => {
        await expect(yaml(page, /YAML of the objects/)).toContainText('# typed')
        await button(page, 'Check only').click()
        await expect(page.getByRole('complementary', { name: 'Result' })).toContainText('can be created.')
      },
    },
    faults: {
      address: '-/faults',
      before: (page) => expect(button(page, 'Lift')).toBeEnabled(),
      during: async (page) => {
        await expect(button(page, 'Lift')).toBeDisabled()
        await expect(button(page, 'Add fault')).toBeDisabled()
      },
      after: (page) => expect(button(page, 'Lift')).toHaveCount(2),
    },
    forks: {
      address: '-/forks',
      before: (page) => expect(button(page, 'Delete')).toBeEnabled(),
      during: async (page) => {
        await expect(button(page, 'Delete')).toBeDisabled()
        await expect(button(page, 'New fork')).toBeDisabled()
      },
      after: (page) => expect(button(page, 'Delete')).toBeEnabled(),
    },
    snapshots: {
      address: '-/snapshots',
      before: (page) => expect(button(page, 'Load')).toBeEnabled(),
      during: async (page) => {
        for (const name of ['Load', 'Delete', 'Save snapshot']) await expect(button(page, name)).toBeDisabled()
      },
      after: (page) => expect(button(page, 'Load')).toBeEnabled(),
    },
    cronjob: {
      address: `cronjobs.batch/${namespace}/hourly`,
      before: (page) => expect(button(page, 'Run now')).toBeEnabled(),
      during: (page) => expect(button(page, 'Run now')).toBeDisabled(),
      after: async (page) => {
        await button(page, 'Run now').click()
        await expect(
          main(page)
            .getByRole('link', { name: /^hourly-/ })
            .first(),
        ).toBeVisible()
      },
    },
    node: {
      address: 'nodes/_/node-1',
      before: (page) => expect(main(page)).toContainText('Ready'),
      after: (page) => expect(main(page)).toContainText('node.kubernetes.io/unschedulable'),
    },
    terminal: {
      address: `pods/${namespace}/counter/terminal`,
      before: async (page) => {
        await expect(page.getByText('Running in main.')).toBeVisible()
        await page.keyboard.type('echo $((40+2))\n')
        await expect(page.locator('.xterm-rows')).toContainText('42')
      },
      during: (page) => expect(page.getByText('The connection was closed.')).toBeVisible(),
      after: async (page) => {
        await button(page, 'Run').click()
        await expect(page.getByText('Running in main.')).toBeVisible()
      },
    },
  }
}

/** Open is an open page. */
interface Open {
  readonly name: string
  readonly place: Place
  readonly page: Page
}

/** perContext is how many pages share a context: a browser opens at most six connections to one server. */
const perContext = 4

/** visit opens places as pages, some in one context each. */
async function visit(browser: Browser, url: string, all: Readonly<Record<string, Place>>): Promise<{ open: Open[]; watches: Watch[] }> {
  const watches: Watch[] = []
  const one = async (name: string, place: Place, page: Page) => {
    await page.goto(`/ui/${place.address}`)
    await expect(page.locator('main h1, main h2').first()).toBeVisible()
    await place.before?.(page)
    await expect(page.locator('.scrubber-live')).toBeVisible()
    await page.evaluate(() => Object.assign(globalThis, { 'still-here': true }))
    return { name, place, page }
  }
  const some = async (places: readonly [string, Place][]) => {
    const context = await browser.newContext({ baseURL: url })
    const watch = new Watch(context, new URL(url).origin)
    watch.allow(/net::ERR_/, /Failed to load resource/, /WebSocket connection/)
    watches.push(watch)
    const open: Open[] = []
    for (const [name, place] of places) open.push(await one(name, place, await context.newPage()))
    return open
  }
  const entries = Object.entries(all)
  const parts = Array.from({ length: Math.ceil(entries.length / perContext) }, (_, i) =>
    entries.slice(i * perContext, (i + 1) * perContext),
  )
  return { open: (await Promise.all(parts.map(some))).flat(), watches }
}

/** isDown checks what every page shows while the server does not answer. */
async function isDown({ place, page }: Open): Promise<void> {
  const told = page.getByRole('alert').filter({ hasText: 'The server has not answered since' })
  await expect(told).toHaveCount(1)
  await place.during?.(page)
  await expect(page.locator('.scrubber-live.off')).toBeVisible()
  // A second passes, and nothing on the page pretends to know what happened in it.
  const body = () =>
    page.evaluate(() => `${document.querySelector('.clock-face time')?.textContent} ${document.querySelector('main')?.textContent}`)
  const before = await body()
  const next = page.locator('.outage-next span')
  const left = await next.textContent()
  await expect(next).not.toHaveText(left ?? '')
  expect(await body()).toBe(before)
  expect(before).not.toMatch(/failed to fetch|TypeError|NetworkError|network error|load failed/i)
  await expect(told).toHaveCount(1)
}

test('the server is killed under pages of every kind: each says so, and recovers when it is back', async ({ browser, cluster, server }) => {
  const { namespace } = cluster
  const fork = `what-if-${namespace}`
  await cluster.apply(
    deployment('web', 2),
    counting,
    { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'options' }, data: { a: '1' } },
    {
      apiVersion: 'batch/v1',
      kind: 'CronJob',
      metadata: { name: 'hourly' },
      spec: { schedule: '0 * * * *', jobTemplate: { spec: job('x', 'true').spec } },
    },
  )
  await cluster.available('web')
  const fault = (name: string) => ({ for: '1d', image: { image: `${name}:1.0` } })
  await cluster.request('POST', '/rowlock/v1/faults', fault('nobody'))
  await cluster.request('POST', '/rowlock/v1/forks', { name: fork })
  await cluster.request('POST', '/rowlock/v1/snapshots', { name: namespace })

  const { open, watches } = await visit(browser, server.url, places(cluster))
  const failed: string[] = []
  const each = async (all: readonly Open[], what: string, look: (one: Open) => Promise<void>) => {
    const one = async (o: Open) => test.step(`${o.name} ${what}`, () => look(o)).catch((e) => failed.push(`${o.name} ${what}: ${e}`))
    await Promise.all(all.map(one))
  }

  await server.kill()
  await each(open, 'is down', isDown)
  await server.restart()

  await cluster.patch('deployments.apps', 'web', { spec: { replicas: 3 } })
  await cluster.patch('pods', 'counter', { metadata: { labels: { since: 'the-kill' } } })
  await cluster.patch('configmaps', 'options', { data: { a: '2' } })
  await cluster.patch('nodes', 'node-1', { spec: { unschedulable: true } })
  await cluster.request('POST', '/rowlock/v1/faults', fault('somebody'))
  await cluster.apply(
    deployment('broken', 1, {
      template: { metadata: { labels: { app: 'broken' } }, spec: { containers: [{ name: 'main', image: 'nginx:1.161' }] } },
    }),
  )
  await each(open, 'is back', async ({ place, page }) => {
    await expect(page.locator('.outage')).toHaveCount(0)
    await place.after(page)
    expect(await page.evaluate(() => 'still-here' in globalThis), 'the page has not been reloaded').toBe(true)
    await page.close()
  })
  expect(failed).toEqual([])
  expect(watches.flatMap((w) => w.problems())).toEqual([])
})

test('the log is compacted behind open pages: they read the present again, and say that the past is gone', async ({
  browser,
  cluster,
  page,
  server,
  shot,
  watch,
}) => {
  const { namespace } = cluster
  const [made] = await cluster.apply(deployment('web', 2), {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'settings' },
    data: { a: '1' },
  })
  await cluster.available('web')
  const then = made.metadata.resourceVersion
  const line = new Line(new URL(server.url))
  await line.mend()
  const web = `deployments.apps/${namespace}/web`
  const row = (p: Page) => p.getByRole('row', { name: /web/ })
  const past = page.getByRole('complementary', { name: 'You are viewing the past' })
  const live: Record<string, Place> = {
    table: {
      address: `deployments.apps?ns=${namespace}`,
      before: (p) => expect(row(p)).toContainText('2/2'),
      after: (p) => expect(row(p)).toContainText('3/3'),
    },
    rollout: {
      address: web,
      before: (p) => expect(main(p)).toContainText('Successfully rolled out.'),
      after: (p) => expect(main(p)).toContainText('3 of 3'),
    },
    changes: {
      address: `-/changes?ns=${namespace}`,
      before: (p) => expect(main(p)).toContainText('settings'),
      after: (p) => expect(main(p)).toContainText('The log goes no further back.'),
    },
  }
  const { open, watches } = await visit(browser, line.url, live)
  watch.allow(410, /another origin/, /ERR_/, /Failed to load resource/)
  await page.goto(`${line.url}/ui/${web}/yaml?at=${then}`)
  await expect(past).toContainText('Everything is shown as it was')
  await expect(main(page)).toContainText('replicas: 2')

  // While the pages cannot reach the server, more is written, and everything before that is compacted.
  await line.cut()
  await expect(page.locator('.outage')).toBeVisible()
  await cluster.patch('deployments.apps', 'web', { spec: { replicas: 3 } })
  await cluster.available('web')
  await cluster.until(
    'the third Pod is available',
    async () => (await cluster.get('deployments.apps', 'web')).status.availableReplicas === 3,
  )
  await server.kill()
  await server.restart('--retain-revisions=1', '--retain-at-most=1')
  await cluster.until('the log is compacted', async () => {
    const { oldest } = await cluster.request('GET', '/rowlock/v1/history?points=2')
    return oldest.revision > Number(then)
  })
  await line.mend()
  for (const { page: p, place } of open) {
    await expect(p.locator('.outage')).toHaveCount(0)
    await place.after(p)
    expect(await p.locator('body').innerText()).not.toMatch(raw)
    expect(await p.evaluate(() => 'still-here' in globalThis)).toBe(true)
    await p.close()
  }
  expect(watches.flatMap((w) => w.problems())).toEqual([])

  // What is on the page stays; the banner says that it cannot be read again, and leads to what can.
  await expect(past).toContainText(`The log has been compacted past revision ${then}.`)
  for (const address of [
    `?ns=${namespace}`,
    `pods?ns=${namespace}`,
    web,
    `${web}/tree`,
    `${web}/history`,
    `${web}/yaml`,
    `-/changes?ns=${namespace}`,
    `-/compare?of=pods&ns=${namespace}`,
    'nodes/_/node-1',
  ]) {
    await page.goto(`${line.url}/ui/${address}${address.includes('?') ? '&' : '?'}at=${then}`)
    await expect(past).toContainText(`The log has been compacted past revision ${then}.`)
    await expect(main(page).getByText('This moment has been compacted and can no longer be shown.').first(), address).toBeVisible()
    await expect(main(page).getByText('Loading…'), address).toHaveCount(0)
    expect(await page.locator('body').innerText(), address).not.toMatch(raw)
  }
  await shot('compacted')
  await page.goto(`${line.url}/ui/${web}/yaml?at=${then}`)
  await past.getByRole('link', { name: 'Show the oldest moment in the log' }).click()
  await expect(past).toContainText('Everything is shown as it was')
  await expect(main(page)).toContainText('replicas: 3')
  await page.goto('about:blank')
  await line.cut()
})
