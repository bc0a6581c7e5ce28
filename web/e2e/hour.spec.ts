import type { Page } from '@playwright/test'
import { deployment, expect, test } from './fixtures'
import { mega, used } from './memory'

/** perEvent is how much memory an Event may take in a table, in bytes. Events stay in the cluster for an hour. */
const perEvent = 1_000

/**
 * Pages that stay open for an hour, while a Deployment is rolled out again and again: `MINUTES=60 make test-ui UI=hour`. Each page may
 * take what the cluster holds and what it remembers of the past, which is bounded, but not more with every rollout.
 */
const minutes = Number(process.env.MINUTES ?? 60)

test.use({ serve: ['--retain-for=2m', '--retain-revisions=2000'] })

test('pages that stay open take no more with every rollout', async ({ cluster, context }) => {
  test.setTimeout((minutes + 10) * 60_000)
  await cluster.apply(deployment('web', 20))
  await cluster.available('web')
  const pages = new Map<string, Page>()
  for (const address of [
    '',
    `deployments.apps/${cluster.namespace}/web`,
    `deployments.apps/${cluster.namespace}/web/log`,
    'pods',
    'events',
  ]) {
    const page = await context.newPage()
    await page.goto(`/ui/${address}`)
    await expect(page.locator('main h1, main h2').first()).toBeVisible()
    pages.set(address || 'overview', page)
  }

  const eventsNow = async (): Promise<number> => (await cluster.request('GET', '/api/v1/events?limit=1')).metadata.remainingItemCount ?? 0

  const begin = Date.now()
  const events: number[] = []
  const measured = new Map([...pages.keys()].map((address) => [address, [] as { heap: number; nodes: number }[]]))
  // The first tenth fills what is remembered.
  for (let tenth = 1, rollouts = 0; tenth <= 10; tenth++) {
    for (const end = begin + (tenth * minutes * 60_000) / 10; Date.now() < end; ) {
      await cluster.patch('deployments.apps', 'web', {
        spec: {
          template: {
            spec: { terminationGracePeriodSeconds: 0, containers: [{ name: 'main', image: `nginx:1.${20 + (rollouts++ % 10)}` }] },
          },
        },
      })
      await cluster.available('web')
      await pages.get('overview')?.waitForTimeout(5_000)
    }
    events.push(await eventsNow())
    for (const [address, page] of pages) {
      const now = await used(page)
      measured.get(address)?.push(now)
      process.stdout.write(`${tenth * 10} %, ${rollouts} rollouts, ${address}: ${mega(now.heap)}, ${now.nodes} nodes\n`)
    }
  }

  const more = (events.at(-1) ?? 0) - (events[1] ?? 0)
  for (const [address, all] of measured) {
    const [first, last] = [all[1], all.at(-1)]
    if (!first || !last) throw new Error(`${address} was not measured`)
    expect(last.heap, `bytes of ${address}`).toBeLessThan(first.heap * 1.5 + 8e6 + (address === 'events' ? perEvent * more : 0))
    expect(last.nodes, `nodes of ${address}`).toBeLessThan(first.nodes * 1.5 + 2_000)
  }
})
