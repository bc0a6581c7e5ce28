import { deployment, expect, test } from './fixtures'

test('a Pod is isolated, and its ReplicaSet makes another', async ({ accessible, cluster, open, page, shot }) => {
  await cluster.apply(deployment('web', 1))
  await cluster.available('web')
  const [pod] = await cluster.pods(1, 'app=web')
  await open(`pods/${cluster.namespace}/${pod.metadata.name}`)
  await page.getByText('Actions', { exact: true }).click()
  await page.getByRole('button', { name: 'Isolate…' }).click()
  const dialog = page.getByRole('dialog', { name: `Isolate Pod ${cluster.namespace}/${pod.metadata.name}` })
  await expect(dialog).toContainText('app=web')
  await expect(dialog).toContainText('creates another in its place')
  await shot('isolate')
  await accessible('dialog')
  await dialog.getByRole('button', { name: 'Isolate' }).click()
  await expect(page.getByRole('list', { name: 'Notifications' })).toContainText('Released by')
  await cluster.available('web')
  const [replacement] = await cluster.pods(1, 'app=web')
  expect(replacement.metadata.uid).not.toBe(pod.metadata.uid)
  // The ReplicaSet may make another before it lets go of the one.
  await expect.poll(async () => (await cluster.get('pods', pod.metadata.name)).metadata.ownerReferences ?? []).toEqual([])
  const isolated = await cluster.get('pods', pod.metadata.name)
  expect(isolated.metadata.uid).toBe(pod.metadata.uid)
  expect(isolated.metadata.labels?.app).toBeUndefined()
})

test('the labels of an object are edited, and what the server has against one is said at the place', async ({
  cluster,
  open,
  page,
  watch,
}) => {
  watch.allow(422)
  await cluster.apply({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'settings', labels: { old: '1', kept: 'x' } } })
  await open(`configmaps/${cluster.namespace}/settings`)
  await page.getByText('Actions', { exact: true }).click()
  await page.getByRole('button', { name: 'Edit labels…' }).click()
  const dialog = page.getByRole('dialog', { name: `Labels of ${cluster.namespace}/settings` })
  await dialog.getByRole('button', { name: 'Remove the label old' }).click()
  await dialog.getByRole('textbox', { name: 'Key' }).last().fill('team')
  await dialog.getByRole('textbox', { name: 'Value' }).last().fill('not allowed!')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog.getByRole('alert')).toContainText('metadata.labels')
  await dialog.getByRole('textbox', { name: 'Value' }).last().fill('blue')
  await expect(dialog).toContainText('2 changes')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog).toBeHidden()
  expect((await cluster.get('configmaps', 'settings')).metadata.labels).toEqual({ kept: 'x', team: 'blue' })
})

test('a node is drained: what may not go yet is held up, and said so, until it may', async ({
  accessible,
  cluster,
  open,
  page,
  shot,
  watch,
}) => {
  watch.allow(429)
  const name = 'node-1'
  const bound = { spec: { nodeName: name, containers: [{ name: 'main', image: 'nginx:1.28' }] } }
  await cluster.apply(deployment('free', 3, { template: { metadata: { labels: { app: 'free' } }, ...bound } }))
  await cluster.apply(deployment('kept', 1, { template: { metadata: { labels: { app: 'kept' } }, ...bound } }))
  await cluster.available('free')
  await cluster.available('kept')
  const before = (await cluster.list('pods')).map((p) => p.metadata.uid)
  // A fault rejects the eviction as a budget would; this cluster has no budgets.
  const fault = {
    name: 'budget',
    api: { verbs: ['create'], resources: ['pods/eviction'], names: ['kept-*'], status: 429, message: 'Cannot evict pod' },
  }
  await cluster.request('POST', '/rowlock/v1/faults', fault)
  try {
    await open(`nodes/_/${name}`)
    await page.getByText('Actions', { exact: true }).click()
    await page.getByRole('button', { name: 'Drain…' }).click()
    const dialog = page.getByRole('dialog', { name: `Drain node ${name}` })
    await expect(dialog).toContainText('4 Pods will be evicted')
    await dialog.getByRole('button', { name: 'Drain' }).click()
    await expect(dialog).toContainText('blocked, retrying: Cannot evict pod')
    await expect(dialog).toContainText('3 of 4 Pods are gone.')
    await shot('drain')
    await accessible('dialog')
    await cluster.request('DELETE', '/rowlock/v1/faults/budget')
    await expect(dialog).toContainText('4 of 4 Pods are gone.')
    const after = (await cluster.list('pods')).filter((p) => before.includes(p.metadata.uid))
    expect(after).toEqual([])
    await dialog.getByRole('button', { name: 'Close' }).last().click()
    await page.getByText('Actions', { exact: true }).click()
    await page.getByRole('button', { name: 'Uncordon' }).click()
    await cluster.until('the node is open', async () => (await cluster.get('nodes', name)).spec.unschedulable !== true)
  } finally {
    await cluster.patch('nodes', name, { spec: { unschedulable: null } })
    await cluster.request('DELETE', '/rowlock/v1/faults')
  }
})

test('a node is made to fail, which the overview says, and the fault is lifted; another is added on the page', async ({
  accessible,
  cluster,
  open,
  page,
  shot,
}) => {
  await open('nodes/_/node-2')
  await page.getByText('Actions', { exact: true }).click()
  await page.getByRole('button', { name: 'Inject a fault…' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('radio', { name: 'Down' }).check()
  await shot('fail')
  await accessible('dialog')
  await dialog.getByRole('button', { name: 'Inject fault' }).click()
  await expect(dialog).toBeHidden()
  try {
    await open()
    await expect(page.getByRole('status').filter({ hasText: 'A fault is active: Node node-2 is down.' })).toBeVisible()
    await page.getByRole('main').getByRole('link', { name: 'Faults', exact: true }).click()
    await page.getByRole('button', { name: 'Add fault' }).click()
    await dialog.getByRole('combobox', { name: 'What fails' }).selectOption('Image')
    await dialog.getByRole('textbox', { name: 'Image' }).fill('none-has-it:1')
    await accessible('dialog')
    await dialog.getByRole('button', { name: 'Inject fault' }).click()
    const faults = page.getByRole('list', { name: 'Faults', exact: true }).getByRole('listitem')
    await expect(faults).toHaveCount(2)
    await expect(faults.first()).toContainText('Node node-2 is down')
    await expect(faults.last()).toContainText(/Image none-has-it:1 cannot be pulled.*ends in \d/)
    await shot('faults')
    await accessible()
    await faults.last().getByRole('button', { name: 'Lift' }).click()
    await faults.first().getByRole('button', { name: 'Lift' }).click()
    await expect(page.getByText('No faults are active.')).toBeVisible()
    expect((await cluster.request('GET', '/rowlock/v1/faults')).items).toEqual([])
  } finally {
    await cluster.request('DELETE', '/rowlock/v1/faults')
  }
})

test('a Deployment is deleted, and leaves what the preview said', async ({ accessible, cluster, open, page, shot }) => {
  await cluster.apply(deployment('web', 2))
  await cluster.available('web')
  const pods = await cluster.pods(2, 'app=web')
  await open(`deployments.apps/${cluster.namespace}/web`)
  await page.getByText('Actions', { exact: true }).click()
  await page.getByRole('button', { name: 'Delete…' }).click()
  const dialog = page.getByRole('dialog', { name: `Delete Deployment ${cluster.namespace}/web` })
  await expect(dialog.getByRole('radio', { name: 'Background' })).toBeChecked()
  await expect(dialog).toContainText('3 dependents are deleted as well')
  await expect(dialog).toContainText(pods[0].metadata.name)
  await expect(dialog).not.toContainText('0 dependents stay')
  await shot('delete')
  await accessible('dialog')
  await dialog.getByRole('radio', { name: 'Orphan' }).check()
  await expect(dialog).toContainText('0 dependents are deleted as well')
  await expect(dialog).toContainText('1 dependent stays, without an owner')
  await dialog.getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByText(/^Deleted .* by /)).toBeVisible()
  const [left] = await cluster.list('replicasets.apps', 'app=web')
  expect(left.metadata.ownerReferences ?? []).toEqual([])
  expect((await cluster.list('pods', 'app=web')).map((p) => p.metadata.uid).sort()).toEqual(pods.map((p) => p.metadata.uid).sort())
})

test('a namespace is deleted only when its name is typed, and several when their number is', async ({ cluster, late, open, page }) => {
  const names = ['-gone', '-left', '-lost'].map((end) => cluster.namespace + end)
  await cluster.apply(...names.map((name) => ({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } })))
  const [name = ''] = names
  await open(`namespaces/_/${name}`)
  await page.getByText('Actions', { exact: true }).click()
  await page.getByRole('button', { name: 'Delete…' }).click()
  const submit = page.getByRole('dialog').getByRole('button', { name: 'Delete' })
  await expect(submit).toBeDisabled()
  await page.getByRole('textbox', { name: 'To confirm, type' }).fill(name)
  await submit.click()
  await expect(page.getByText(/^Deleted .* by /)).toBeVisible()
  const tools = await late('rowtools')
  await open(`namespaces?q=${cluster.namespace}-l&sort=Name`)
  await expect(page.getByRole('grid').getByRole('link', { name: /-(left|lost)$/ })).toHaveCount(2)
  // Keys pressed before the deletion code is loaded are not lost.
  for (const key of ['j', ' ', 'j', ' ', 'Delete']) await page.keyboard.press(key)
  tools()
  await expect(page.getByRole('dialog', { name: 'Delete 2 objects' }).getByRole('radio', { name: 'Background' })).toBeChecked()
  await expect(submit).toBeDisabled()
  await page.getByRole('textbox', { name: 'To confirm, type: 2 namespaces' }).fill('2 namespaces')
  await submit.click()
  await expect(page.getByText('Deletion started: 2 objects').first()).toBeVisible()
})

test('what workloads do is in the menu: a Deployment is paused and goes on', async ({ cluster, open, page }) => {
  await cluster.apply(deployment('web', 1))
  await open(`deployments.apps/${cluster.namespace}/web/summary`)
  const menu = page.getByText('Actions', { exact: true })
  await menu.click()
  await page.getByRole('button', { name: 'Pause', exact: true }).click()
  await expect(page.getByRole('list', { name: 'Notifications' })).toContainText('The rollout is paused. Deployment web')
  expect((await cluster.get('deployments.apps', 'web')).spec.paused).toBe(true)
  await menu.click()
  await page.getByRole('button', { name: 'Resume', exact: true }).click()
  await cluster.until('it goes on', async () => (await cluster.get('deployments.apps', 'web')).spec.paused !== true)
  await menu.click()
  await page.getByRole('button', { name: 'Inject a fault…' }).click()
  await expect(page.getByRole('dialog', { name: `Inject a fault into Deployment ${cluster.namespace}/web` })).toBeVisible()
})

test('at a moment of the past nothing can be done, and it is said why', async ({ cluster, open, page }) => {
  const [made] = await cluster.apply(deployment('web', 1))
  await open(`deployments.apps/${cluster.namespace}/web/summary?at=${made.metadata.resourceVersion}`)
  await page.getByText('Actions', { exact: true }).click()
  await expect(page.getByText('You are viewing the past, which cannot be changed.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Delete…' })).toHaveCount(0)
})
