import type { Page } from '@playwright/test'
import { deployment, expect, pod, template, test } from './fixtures'

const picture = (page: Page) => page.getByRole('slider', { name: 'ReplicaSets over time' })

/** walk goes through the picture with the keys, and returns what it says at each change: how many Pods are asked for and are available. */
async function walk(page: Page): Promise<{ total: number; most: number; available: number; least: number }[]> {
  const slider = picture(page)
  await slider.focus()
  await page.keyboard.press('Home')
  await expect(slider).toHaveAttribute('aria-valuenow', '1')
  const steps = Number(await slider.getAttribute('aria-valuemax'))
  const out = []
  for (let step = 1; ; step++) {
    const said = (await slider.getAttribute('aria-valuetext')) ?? ''
    const [, total, most, available, least] = /(\d+) Pods requested, at most (\d+); (\d+) available, at least (\d+)/.exec(said) ?? []
    out.push({ total: Number(total), most: Number(most), available: Number(available), least: Number(least) })
    if (step === steps) return out
    await page.keyboard.press('ArrowRight')
    await expect(slider).toHaveAttribute('aria-valuenow', String(step + 1))
  }
}

test('a rollout is begun, watched within its bounds, and undone', async ({ cluster, open, page, shot, accessible }) => {
  await cluster.clock.pause()
  const strategy = { type: 'RollingUpdate', rollingUpdate: { maxSurge: '25%', maxUnavailable: '25%' } }
  await cluster.apply(deployment('web', 10, { strategy, minReadySeconds: 10 }))
  await cluster.clock.advance('30s')
  await cluster.available('web')
  await open(`deployments.apps/${cluster.namespace}/web`)
  const progress = page.getByRole('status').filter({ hasText: /\./ })
  await expect(progress.getByText('Successfully rolled out.')).toBeVisible()

  await page.getByRole('button', { name: 'Set image…' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: 'Image' }).fill('nginx:1.29')
  await dialog.getByRole('button', { name: 'Set image' }).click()
  await expect(dialog).toBeHidden()
  // The clock stands still: the new Pods are ready and never become available, so the rollout stays where it is.
  await expect(page.getByText('In progress: 5 of 10 new replicas have been updated.')).toBeVisible()
  await expect(page.getByText(/^(10m|9m59s) left until the progress deadline$/)).toBeVisible()
  await expect(page.getByText('Never more than 13 Pods; 13 are allowed.')).toBeVisible()
  await expect(page.getByText('Never fewer than 8 available; 8 are required.')).toBeVisible()
  await expect(page.getByRole('radio', { name: 'changes' })).toBeChecked()
  await accessible('main')
  await shot('rollout-under-way')

  await cluster.clock.advance('1m')
  await expect(progress.getByText('Successfully rolled out.')).toBeVisible()
  await page.getByRole('radio', { name: 'time' }).check()
  await expect(picture(page)).toHaveAttribute('aria-valuetext', /10 Pods requested, at most 13; 10 available/)
  const seen = await walk(page)
  expect(seen.length).toBeGreaterThan(4)
  for (const s of seen) {
    expect(s).toMatchObject({ most: 13, least: 8 })
    expect(s.total).toBeLessThanOrEqual(13)
    expect(s.available).toBeGreaterThanOrEqual(8)
  }
  expect(Math.max(...seen.map((s) => s.total))).toBe(13)
  expect(Math.min(...seen.map((s) => s.available))).toBe(8)
  await shot('rollout')

  const resume = page.getByRole('main').getByRole('button', { name: 'Resume', exact: true })
  await page.getByRole('button', { name: 'Pause', exact: true }).click()
  await expect(resume).toBeVisible()
  await page.getByRole('button', { name: 'Roll back to revision 1' }).click()
  await expect(dialog.locator('del')).toContainText('nginx:1.29')
  await expect(dialog.locator('ins')).toContainText('nginx:1.28')
  await dialog.getByRole('button', { name: 'Roll back to revision 1' }).click()
  await expect(dialog.getByRole('alert')).toHaveText('The rollout is paused. Resume it first.')
  await shot('rollout-undo')
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await resume.click()
  await expect(resume).toHaveCount(0)
  await page.getByRole('button', { name: 'Roll back to revision 1' }).click()
  await dialog.getByRole('button', { name: 'Roll back to revision 1' }).click()
  await expect(dialog).toBeHidden()
  await cluster.clock.advance('1m')
  await expect(page.getByRole('rowheader', { name: '3' })).toBeVisible()
  await expect(progress.getByText('Successfully rolled out.')).toBeVisible()
  const undone = await cluster.get('deployments.apps', 'web')
  expect(undone.spec.template).toMatchObject({ spec: { containers: [{ image: 'nginx:1.28' }] } })
  expect(undone.spec.template.metadata.labels).toEqual({ app: 'web' })

  // Back to the middle of it: the picture ends there, and nothing can be done.
  await expect(async () => {
    await picture(page).focus()
    for (const key of ['Home', 'ArrowRight', 'ArrowRight']) await page.keyboard.press(key)
    await expect(picture(page)).toHaveAttribute('aria-valuenow', '3', { timeout: 1000 }) // not as long as the picture is of the rollout before
  }).toPass()
  await page.getByRole('link', { name: 'Go to this moment' }).click()
  await expect(page).toHaveURL(/at=\d+/)
  await expect(page.getByText('You are viewing the past, where nothing can be changed.')).toBeVisible()
  await expect(page.locator('.rollout-picture .moment')).toBeAttached()
  // How far it has come by the second change depends on how many writes the controllers took.
  await expect(page.getByText(/In progress: \d/)).toBeVisible()
})

test('a scale-down deletes the Pods that its preview named, and strays are named', async ({ cluster, open, page, shot, accessible }) => {
  await cluster.clock.pause()
  // Pods that take their time to end can be seen doing so.
  const slow = [{ name: 'main', image: 'nginx:1.28', lifecycle: { preStop: { sleep: { seconds: 20 } } } }]
  await cluster.apply(deployment('web', 6, { template: template('web', '', { containers: slow }) }))
  await cluster.clock.advance('30s')
  await cluster.available('web')
  const [cheap, lost] = await cluster.pods(6, 'app=web')
  await cluster.patch('pods', lost.metadata.name, { metadata: { labels: { app: 'isolated' } } })
  await cluster.apply(pod('guest', 'sleep 1d', { app: 'web' }))
  await cluster.patch('pods', cheap.metadata.name, { metadata: { annotations: { 'controller.kubernetes.io/pod-deletion-cost': '-5' } } })
  await cluster.clock.advance('30s')
  await cluster.available('web')

  await open(`deployments.apps/${cluster.namespace}/web/tree`)
  const set = (await cluster.list('replicasets.apps', 'app=web'))[0].metadata.name
  const marks = page.getByRole('list', { name: `Pods of ${set}` }).getByRole('link')
  await expect(marks).toHaveCount(6)
  await expect(marks.filter({ hasText: cheap.metadata.name })).toContainText('Running')
  await expect(
    page
      .getByRole('listitem')
      .filter({ hasText: 'guest' })
      .getByText(/^orphaned/),
  ).toBeVisible()
  await expect(
    page
      .getByRole('listitem')
      .filter({ hasText: lost.metadata.name })
      .getByText(/^released/),
  ).toBeVisible()
  await expect(page.getByRole('button', { name: /^Scale to/ })).toHaveCount(0)

  await page.getByLabel('If scaled to').fill('3')
  await expect(page.getByText('3 Pods would be removed, in this order:')).toBeVisible()
  await expect(page.locator('.victims a')).toHaveCount(3)
  const victims = await page.locator('.victims a').allTextContents()
  expect(victims[0]).toBe(cheap.metadata.name)
  await expect(page.locator('.victims li').first()).toContainText('its deletion cost is lower')
  await expect(marks.filter({ hasText: '1' })).toHaveAccessibleName(new RegExp(`^${cheap.metadata.name} .* number 1 to go`))
  await accessible('main')
  await shot('tree-scale-down')

  await page.getByRole('button', { name: 'Scale to 3' }).click()
  await expect(page.getByRole('link', { name: /· Terminating ·/ })).toHaveCount(3)
  await shot('tree-terminating')
  for (const name of victims) expect((await cluster.get('pods', name)).metadata.deletionTimestamp).toBeTruthy()
  await cluster.clock.advance('1m')
  await expect(marks).toHaveCount(3)
  const left = await cluster.list('pods', 'app=web,pod-template-hash')
  expect(left.map((p) => p.metadata.name)).not.toEqual(expect.arrayContaining(victims))
  expect(left).toHaveLength(3)

  // From a Pod up to its root, with the Pod marked.
  await marks.first().click()
  await page.getByRole('link', { name: 'Family' }).click()
  await expect(page.getByRole('list', { name: 'Family of web' }).locator('.pods [aria-current]')).toHaveCount(1)
})

test('a ReplicaSet of many Pods is one picture that the keys go through', async ({ cluster, open, page, shot }) => {
  const spec = { replicas: 400, selector: { matchLabels: { app: 'many' } }, template: template('many') }
  await cluster.apply({ apiVersion: 'apps/v1', kind: 'ReplicaSet', metadata: { name: 'many' }, spec })
  await open(`replicasets.apps/${cluster.namespace}/many/tree`)
  const dense = page.getByRole('slider', { name: 'Pods of many' })
  await expect(dense).toHaveAttribute('aria-valuemax', '400')
  await dense.focus()
  await page.keyboard.press('End')
  await expect(dense).toHaveAttribute('aria-valuenow', '400')
  await shot('tree-many')
  const name = ((await dense.getAttribute('aria-valuetext')) ?? '').split(' ')[0] ?? ''
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1 })).toContainText(name)
})
