import { deployment, expect, test } from './fixtures'

/** newest is the last revision of the log. */
async function newest(cluster: { request: (method: string, path: string) => Promise<{ newest: { revision: number } }> }): Promise<number> {
  return (await cluster.request('GET', '/rowlock/v1/history?points=2')).newest.revision
}

test('back before a rollout everything is as it was, and nothing can be done', async ({ cluster, open, page, shot, accessible }) => {
  const { namespace } = cluster
  await cluster.apply(deployment('web', 3, { template: nginx('1.27') }))
  await cluster.available('web')
  const old = (await cluster.pods(3, 'app=web')).map((p) => p.metadata.name)
  await cluster.apply(deployment('web', 3, { template: nginx('1.28') }))
  await cluster.available('web')
  const now = (await cluster.pods(3, 'app=web')).map((p) => p.metadata.name)

  // The change of the template, in the history of the Deployment.
  await open(`deployments.apps/${namespace}/web/history`)
  await page.getByRole('button', { name: /spec\.template\.spec\.containers\[main\]\.image/ }).click()
  const change = page.getByRole('article', { name: /^Change/ })
  await expect(change).toContainText('nginx:1.27')
  await expect(change).toContainText('nginx:1.28')
  await expect(change).toContainText(/request by/)
  await shot('time-change')
  await accessible()

  // The moment before it.
  await change.getByRole('link', { name: 'Show the moment before' }).click()
  const past = page.getByRole('complementary', { name: 'You are viewing the past' })
  await expect(past).toContainText(/revision \d+/)
  await expect(page).toHaveURL(/at=\d+/)
  await page.getByRole('link', { name: 'YAML', exact: true }).click()
  await expect(page.getByRole('main')).toContainText('nginx:1.27')
  for (const action of await page.getByRole('button', { name: /^(Actions|Scale|Restart|Edit|Delete|Pause|Undo)/ }).all())
    await expect(action).toBeDisabled()

  // Elsewhere it is the same moment.
  await page.getByRole('link', { name: 'Pods', exact: true }).click()
  for (const name of old) await expect(page.getByRole('link', { name })).toBeVisible()
  for (const name of now) await expect(page.getByRole('link', { name })).toHaveCount(0)
  await expect(page.getByRole('button', { name: /(Create|Delete)/ }).and(page.locator(':enabled'))).toHaveCount(0)
  await shot('time-past')
  await accessible()

  // Compare with the present.
  await past.getByRole('link', { name: 'Compare with now' }).click()
  await expect(page.getByRole('main')).toContainText('3 new, 3 gone')
  await expect(page.getByRole('region', { name: 'gone since' })).toContainText(old[0])
  await expect(page.getByRole('region', { name: 'new since' })).toContainText(now[0])
  await shot('time-compare')
  await accessible()

  await page.getByRole('button', { name: 'Back to now' }).first().click()
  await expect(past).toHaveCount(0)
})

test('steps by change, by the keyboard and by the buttons, with the rows in place', async ({ cluster, open, page, shot }) => {
  const { namespace } = cluster
  for (const value of ['one', 'two', 'three']) {
    await cluster.apply({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'settings' }, data: { value } })
  }
  const last = await newest(cluster)
  await open(`configmaps/${namespace}/settings/yaml`)
  const main = page.getByRole('main')
  await expect(main).toContainText('value: three')
  await page.getByRole('combobox', { name: 'Step through' }).selectOption('changes on this page')
  const slider = page.getByRole('slider', { name: 'Moment shown' })
  await slider.focus()
  await slider.press('ArrowLeft') // the last change of it
  await expect(page).toHaveURL(/at=\d+/)
  const at = () => Number(new URL(page.url()).searchParams.get('at'))
  const third = at()
  expect(third).toBeLessThanOrEqual(last)
  await slider.press('ArrowLeft')
  await expect(main).toContainText('value: two')
  await slider.press('ArrowLeft')
  await expect(main).toContainText('value: one')
  await page.getByRole('button', { name: 'Next change' }).click()
  await expect(main).toContainText('value: two')
  await page.getByRole('button', { name: 'Next change' }).click()
  await expect(main).toContainText('value: three')
  expect(at()).toBe(third)
  await slider.press('Home')
  await expect(main).toContainText('There was no such object at this moment.')
  await slider.press('End')
  await expect(page).not.toHaveURL(/at=/)
  await expect(main).toContainText('value: three')

  // The line describes what is under the pointer, can be zoomed, and its marks have keys. The tests
  // beside this one have marks too: the zoom is around this one's, which may be part of a group.
  await slider.press('ArrowLeft')
  await expect(page).toHaveURL(new RegExp(`at=${third}$`))
  const marks = page.locator('.scrubber-picture .sign')
  await expect(marks.last()).toBeAttached()
  await page.getByRole('button', { name: 'Zoom in' }).click()
  await expect(page.getByRole('button', { name: 'Zoom out' })).toBeEnabled()
  const tip = page.locator('.scrubber-tip')
  await expect(async () => {
    for (let i = (await marks.count()) - 1; i >= 0; i--) {
      const box = await marks
        .nth(i)
        .boundingBox({ timeout: 2000 })
        .catch(() => null) // they move while the line is read
      if (!box) continue
      await page.mouse.move(box.x, box.y - 200)
      await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2)
      const says = await tip.textContent({ timeout: 2000 }).catch(() => '')
      if (/ConfigMap settings (created|updated) by/.test(says ?? '')) return
    }
    throw new Error('no mark tells of the ConfigMap')
  }).toPass()
  await expect(tip).toContainText(/revision \d+/)
  await shot('time-line')
  await page.getByRole('button', { name: 'Zoom out' }).click()
  await expect(page.getByRole('button', { name: 'Zoom out' })).toBeDisabled()
  await slider.press('End')
  await expect(page).not.toHaveURL(/at=/)
  await page.getByRole('heading', { level: 1 }).click()
  await page.keyboard.press('[')
  await expect(page).toHaveURL(new RegExp(`at=${third}$`))
  await page.keyboard.press('[')
  await expect(main).toContainText('value: two')
  await page.keyboard.press('ArrowLeft')
  await expect(main).toContainText('value: one')
  await page.keyboard.press(']')
  await page.keyboard.press('ArrowRight')
  await expect(main).toContainText('value: three')
})

test('the past is played, and dragged through', async ({ cluster, open, page, watch }) => {
  const { namespace } = cluster
  for (let i = 1; i <= 5; i++)
    await cluster.apply({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'film' }, data: { scene: `take-${i}` } })
  await open(`configmaps/${namespace}/film/yaml`)
  const main = page.getByRole('main')
  await page.getByRole('combobox', { name: 'Step through' }).selectOption('changes on this page')
  await page.getByRole('combobox', { name: 'Playback speed' }).selectOption('1 change/s')
  const seen: string[] = []
  page.on('request', (r) => {
    const moment = new URL(r.url()).searchParams.get('resourceVersion')
    if (r.url().includes('resourceVersionMatch=Exact') && moment) seen.push(moment)
  })
  await page.evaluate(noteTake1)
  await page.getByRole('button', { name: 'Play', exact: true }).click()
  await expect(page.locator('html')).toHaveAttribute('data-take-1', 'seen')
  await page.getByRole('combobox', { name: 'Playback speed' }).selectOption('20 changes/s')
  await expect(page).not.toHaveURL(/at=/) // it has come to its end, which is now
  await expect(main).toContainText('take-5')
  expect(new Set(seen).size).toBeGreaterThanOrEqual(5)

  const slider = page.getByRole('slider', { name: 'Moment shown' })
  const box = await slider.boundingBox()
  if (!box) throw new Error('the slider is not in sight')
  await page.mouse.move(box.x + box.width - 8, box.y + 10)
  await page.mouse.down()
  for (let part = 0.9; part > 0.2; part -= 0.1) await page.mouse.move(box.x + box.width * part, box.y + 10)
  await page.mouse.up()
  await expect(page.getByRole('complementary', { name: 'You are viewing the past' })).toBeVisible()
  const dragged = Number(new URL(page.url()).searchParams.get('at'))
  expect(dragged).toBeGreaterThan(0)
  await page.goBack() // dragging has left one trace
  await expect(page).not.toHaveURL(new RegExp(`at=${dragged}$`))

  // The page says what does not exist yet and what cannot be known.
  watch.allow(400, 404, 410, 504)
  await open(`configmaps?at=${dragged + 1_000_000}`)
  await expect(page.getByRole('complementary', { name: 'You are viewing the past' })).toContainText('There is no revision')
  await expect(page.getByRole('alert')).toContainText(`There is no revision ${dragged + 1_000_000} yet.`)
})

test('what led to a Pod is told back to the request', async ({ cluster, open, page, shot }) => {
  await cluster.apply(deployment('web', 1))
  await cluster.available('web')
  const [pod] = await cluster.pods(1, 'app=web')
  await open(`pods/${cluster.namespace}/${pod.metadata.name}/history`)
  await page.getByRole('button', { name: /created/ }).click()
  const chain = page.getByRole('article', { name: /^Change/ }).getByRole('list')
  const steps = chain.getByRole('listitem')
  await expect(steps.first()).toHaveText(/^request by /)
  await expect(steps.nth(1)).toContainText('Deployment web')
  await expect(chain).toContainText('ReplicaSet')
  await expect(steps.last()).toContainText(`Pod ${pod.metadata.name}`)
  await shot('time-causes')
  await steps
    .nth(1)
    .getByRole('link', { name: /Deployment web/ })
    .click()
  await expect(page.getByRole('article', { name: /^Change/ })).toContainText('Deployment')
})

test('the list of changes goes on by itself', async ({ cluster, open, page, accessible, watch }) => {
  await open(`-/changes?ns=${cluster.namespace}`)
  await expect(page.getByRole('heading', { name: 'Changes' })).toBeVisible()
  await cluster.apply({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'comes-later' }, data: { a: '<b>1</b>' } })
  await expect(page.getByRole('button', { name: /ConfigMap comes-later created/ })).toBeVisible()
  await cluster.remove('configmaps', 'comes-later')
  await page.getByRole('button', { name: /ConfigMap comes-later deleted/ }).click()
  await expect(page.getByRole('article', { name: /^Change/ })).toContainText('<b>1</b>')
  await accessible()
  watch.allow(504)
  await open('pods?at=999999999')
  await expect(page.getByText(/There is no revision 999,?999,?999 yet\./).first()).toBeVisible()
  await expect(page.getByText('Too large resource version')).toHaveCount(0)
})

test('a fork is made from the past, is told from its origin on every page, compared with it object by object, and deleted', async ({
  cluster,
  open,
  page,
  shot,
  accessible,
  watch,
}) => {
  watch.allow(422)
  const { namespace } = cluster
  const settings = (value: string) => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'settings' }, data: { value } })
  const [made] = await cluster.apply(settings('one'))
  await cluster.apply(settings('two'))
  await open(`configmaps/${namespace}/settings/yaml?at=${made.metadata.resourceVersion}`)
  await page.getByRole('button', { name: 'Fork from here' }).click()
  const form = page.getByRole('dialog', { name: 'New fork' })
  await expect(form).toContainText(`From revision ${made.metadata.resourceVersion}.`)
  await form.getByRole('textbox', { name: 'Name' }).fill('What If')
  await form.getByRole('button', { name: 'Create fork' }).click()
  await expect(form.getByRole('alert')).toContainText('lower case')
  await form.getByRole('textbox', { name: 'Name' }).fill('what-if')
  await accessible('dialog')
  await form.getByRole('button', { name: 'Create fork' }).click()
  await expect(page.getByText('Fork what-if is ready.').first()).toBeAttached()
  const fork = cluster.within('/forks/what-if')
  try {
    // The same page of the fork, by the switcher.
    const switcher = page.getByRole('banner').locator('.clusters summary')
    await switcher.click()
    await page.getByRole('link', { name: 'Fork what-if' }).click()
    await expect(page).toHaveURL(/\/forks\/what-if\/ui\/configmaps\/.*\/settings/)
    await expect(page).toHaveTitle(/Fork what-if/)
    await expect(switcher).toContainText('Fork what-if')
    await expect(page.getByRole('main')).toContainText('value: one')
    await shot('fork-inside')

    // What differs: it began before the second change, and has one of its own.
    await fork.apply({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'tried' }, data: { a: '1' } })
    await switcher.click()
    await page.getByRole('link', { name: 'Forks', exact: true }).click()
    await page.getByRole('link', { name: 'Compare with the main cluster' }).click()
    await expect(page.getByRole('status').filter({ hasText: 'differ' })).toBeVisible()
    const maps = page.getByRole('region', { name: 'ConfigMaps' })
    await expect(maps.locator('summary', { hasText: `${namespace}/tried` })).toContainText('only in the fork')
    await maps.locator('summary', { hasText: `${namespace}/settings` }).click()
    await expect(maps).toContainText('changed in the main cluster')
    await expect(maps).toContainText('two')
    await shot('fork-difference')
    await accessible()

    // From the origin's page it goes.
    await open('-/forks')
    await shot('forks')
    await accessible()
    await page.getByRole('listitem', { name: 'what-if' }).getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await expect(page.getByText('There are no forks.')).toBeVisible()
    expect((await cluster.request('GET', '/rowlock/v1/forks')).items).toEqual([])
  } finally {
    for (const f of (await cluster.request('GET', '/rowlock/v1/forks')).items)
      await cluster.request('DELETE', `/rowlock/v1/forks/${f.name}`)
  }

  // A snapshot is saved, can be a file, and goes.
  await open('-/snapshots')
  await page.getByRole('button', { name: 'Save snapshot' }).click()
  const save = page.getByRole('dialog')
  await save.getByRole('textbox', { name: 'Name' }).fill('kept')
  await save.getByRole('button', { name: 'Save snapshot' }).click()
  const kept = page.getByRole('listitem', { name: 'kept' })
  await expect(kept).toContainText('State at revision')
  const file = page.waitForEvent('download')
  await kept.getByRole('button', { name: 'Download' }).click()
  expect((await file).suggestedFilename()).toBe('kept.snapshot')
  await shot('snapshots')
  await accessible()
  await kept.getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByText('There are no snapshots.')).toBeVisible()
})

/** noteTake1 notes in the page that the first scene has been on it, which is so for a second. */
function noteTake1(): void {
  const look = () => {
    if (document.querySelector('main')?.textContent?.includes('take-1')) document.documentElement.setAttribute('data-take-1', 'seen')
  }
  new MutationObserver(look).observe(document.body, { childList: true, subtree: true, characterData: true })
}

/** nginx is a Pod's template of one version. */
function nginx(version: string) {
  return { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'main', image: `nginx:${version}` }] } }
}
