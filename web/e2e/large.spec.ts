import type { Page } from '@playwright/test'
import { deployment, expect, test } from './fixtures'
import { mega, used } from './memory'

/**
 * A table of many Pods: how soon it is there, how it scrolls, what a rollout of all of them costs. `make test` takes 2,000, so as not to
 * cost a minute; `PODS=10000 make test-ui UI=large` is the real thing, on an idle machine. Figures are printed, and bounds are wide: what
 * must hold everywhere is that few rows are drawn and that memory is that of the Pods there are, not of those that have passed.
 */
const count = Number(process.env.PODS ?? 2000)

/** patience bounds a rollout, in milliseconds. */
const patience = 120_000 + 60 * count

test.use({ serve: ['--retain-for=1m', '--retain-revisions=1000'] })

test('a table of very many Pods is there at once, scrolls, and stays so while all of them are replaced', async ({
  cluster,
  page,
  shot,
}) => {
  test.setTimeout(360_000 + 2 * patience)
  await cluster.apply(deployment('crowd', count))
  await cluster.available('crowd', cluster.namespace, patience)

  await page.addInitScript(noteFirstRow)
  await page.goto('/ui/pods')
  const grid = page.getByRole('grid')
  await expect(grid.getByRole('row').nth(1)).toBeVisible()
  const first = await page.evaluate(() => performance.getEntriesByName('first row')[0]?.startTime ?? 0)
  const filled = await page.evaluate(loaded, count)
  const before = await used(page)

  const scrolled = await frames(page, async () => {
    await grid.hover()
    for (let i = 0; i < 40; i++) await page.mouse.wheel(0, i < 30 ? 900 : -900)
    for (let i = 0; i < 20; i++) await page.keyboard.press('PageDown')
  })
  await shot('large')
  const rolled = await frames(page, async () => {
    await cluster.patch('deployments.apps', 'crowd', {
      spec: { template: { spec: { terminationGracePeriodSeconds: 0, containers: [{ name: 'main', image: 'nginx:1.29' }] } } },
    })
    await cluster.available('crowd', cluster.namespace, patience)
    await page.evaluate(loaded, count)
  })
  const after = await used(page)

  process.stdout.write(
    `${count} Pods: first row after ${first.toFixed(0)} ms, all after ${filled.toFixed(0)} ms; scrolling ${scrolled}; rollout ${rolled}; ` +
      `heap ${mega(before.heap)} before and ${mega(after.heap)} after, ${after.nodes} nodes\n`,
  )
  expect(first).toBeGreaterThan(0)
  expect(first).toBeLessThan(20_000)
  expect(await grid.getByRole('row').count()).toBeLessThan(200)
  expect(after.nodes).toBeLessThan(20_000)
  expect(after.heap).toBeLessThan(before.heap * 1.5 + 16e6)
})

/** noteFirstRow marks the time, in a page that begins, at which a person can read the first row: when it is painted. */
function noteFirstRow(): void {
  const look = () => {
    if (document.querySelector('[role=gridcell]')) requestAnimationFrame(() => performance.mark('first row'))
    else requestAnimationFrame(look)
  }
  requestAnimationFrame(look)
}

/** loaded waits until the table has so many rows, loaded and not only announced, and returns when that was, since the page began. */
function loaded(rows: number): Promise<number> {
  return new Promise((done) => {
    const look = () => {
      const grid = document.querySelector('[role=grid]')
      const row = grid?.querySelector('[role=row]:has([role=gridcell])')?.getBoundingClientRect().height ?? Number.POSITIVE_INFINITY
      const all = grid?.getAttribute('aria-rowcount') === String(rows + 1) && grid.scrollHeight >= rows * row
      if (all) done(performance.now())
      else requestAnimationFrame(look)
    }
    look()
  })
}

/** frames says how long the frames of a page took while something was done. */
async function frames(page: Page, during: () => Promise<void>): Promise<string> {
  await page.evaluate(() => {
    const noted: number[] = []
    let last = performance.now()
    const note = (now: number) => {
      noted.push(now - last)
      last = now
      if (Object.hasOwn(globalThis, 'frames-noted')) requestAnimationFrame(note)
    }
    Object.assign(globalThis, { 'frames-noted': noted })
    requestAnimationFrame(note)
  })
  await during()
  const noted = await page.evaluate(() => {
    const all = Reflect.get(globalThis, 'frames-noted') as number[]
    Reflect.deleteProperty(globalThis, 'frames-noted')
    return all
  })
  noted.sort((a, b) => a - b)
  const at = (part: number) => (noted[Math.min(noted.length - 1, Math.floor(noted.length * part))] ?? 0).toFixed(0)
  return `${noted.length} frames of ${at(0.5)} ms in the middle, ${at(0.95)} for 95 of 100, ${at(1)} at most`
}
