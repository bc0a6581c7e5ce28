import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { deployment, expect, paste, test } from './fixtures'

const manifest = `apiVersion: v1
kind: ConfigMap
metadata:
  name: settings
data:
  greeting: hello
---
apiVersion: apps/v1
kind: Deployment
metadata:
  name: made
spec:
  replicas: -1
  selector:
    matchLabels: {app: made}
  template:
    metadata:
      labels: {app: made}
    spec:
      containers:
        - name: main
`

test('what the server has against a manifest is shown at the field, mended, and all is created', async ({
  accessible,
  cluster,
  open,
  page,
  shot,
  watch,
}) => {
  watch.allow(422)
  await open(`pods?ns=${cluster.namespace}`)
  await page.getByRole('heading', { level: 1 }).click()
  await page.keyboard.press('c')
  const editor = page.getByRole('textbox', { name: 'YAML of the objects to create' })
  await expect(editor).toContainText('kind: Deployment')
  await editor.press('Control+f')
  await page.getByRole('textbox', { name: 'Find' }).fill('kind')
  await expect(page.getByRole('button', { name: 'Replace all' })).toBeVisible()
  const font = await page.evaluate(() => getComputedStyle(document.body).fontFamily)
  await expect(page.getByRole('textbox', { name: 'Find' })).toHaveCSS('font-family', font)
  await shot('create-find')
  await accessible()
  await page.keyboard.press('Escape')
  await page.setViewportSize({ width: 1280, height: 1400 }) // the editor is as high as the window allows
  await expect.poll(async () => (await page.locator('.editor').boundingBox())?.height).toBeGreaterThan(1000)
  await page.setViewportSize({ width: 1280, height: 800 })

  // Fields and values are suggested by the kind's schema, and the field at the cursor is explained.
  await paste(editor, 'apiVersion: apps/v1\nkind: Deployment\nspec:\n  paused: true\n  ')
  await page.keyboard.type('p')
  const suggestions = page.getByRole('listbox', { name: 'Suggestions' })
  await expect(suggestions.getByRole('option', { name: /^progressDeadlineSeconds/ })).toBeVisible()
  await expect(suggestions.getByRole('option', { name: /^paused/ })).toHaveCount(0)
  await page.keyboard.type('rog')
  await expect(suggestions.getByRole('option')).toHaveCount(1)
  await shot('create-suggestions')
  await accessible()
  await page.keyboard.press('Enter')
  await expect(editor).toContainText('progressDeadlineSeconds: ')
  const about = page.getByRole('region', { name: 'Field at the cursor' })
  await expect(about).toContainText('spec.progressDeadlineSeconds')
  await expect(about).toContainText('The maximum time in seconds for a deployment to make progress')
  await paste(editor, manifest)
  await page.getByRole('button', { name: 'Create 2 objects' }).click()
  const problems = page.getByRole('complementary', { name: 'Result' })
  await expect(problems).toContainText('2 problems')
  await expect(problems).toContainText('spec.replicas')
  await expect(problems.getByRole('button', { name: 'line 21 spec.template.spec.containers[0].image' })).toBeVisible()
  await shot('create-problems')
  await accessible()
  await problems.getByRole('button', { name: 'line 13 spec.replicas' }).click()
  await expect(editor).toBeFocused()
  await page.keyboard.press('Delete')
  await page.keyboard.type('replicas: 1')
  await editor.press('Control+End')
  await page.keyboard.type('          image: nginx:1.28')
  await expect(editor).toContainText('image: nginx:1.28')
  expect(await cluster.list('configmaps').then((all) => all.filter((c) => c.metadata.name === 'settings'))).toEqual([])
  await page.getByRole('button', { name: 'Create 2 objects' }).click()
  await expect(page.getByText('2 objects created.').first()).toBeVisible()
  await cluster.available('made')
  // The names are taken now: the way to what has them is shown.
  watch.allow(409)
  await page.getByRole('button', { name: 'Check only' }).click()
  await expect(problems).toContainText('A ConfigMap with this name already exists.')
  await problems.getByRole('link', { name: 'Edit the existing one' }).first().click()
  await expect(page).toHaveURL(/configmaps\/.*\/settings\/edit/)
  // Escape, then Tab leads out of the editor.
  const edited = page.getByRole('textbox', { name: 'YAML of ConfigMap settings' })
  await edited.press('Escape')
  await page.keyboard.press('Tab')
  await expect(edited).not.toBeFocused()
})

test('an object is edited: what would change is shown, and what others have changed meanwhile is joined with it', async ({
  accessible,
  cluster,
  open,
  page,
  shot,
}) => {
  await cluster.apply(deployment('web', 1))
  await cluster.available('web')
  await open(`deployments.apps/${cluster.namespace}/web/edit`)
  const editor = page.getByRole('textbox', { name: 'YAML of Deployment web' })
  await expect(editor).toContainText('replicas: 1')
  const before = (await editor.innerText()).replaceAll('\n\n', '\n')
  expect(before).not.toContain('resourceVersion')
  await paste(editor, before.replace('replicas: 1', 'replicas: 2'))
  await page.getByRole('button', { name: 'Preview changes' }).click()
  const diff = page.getByRole('region', { name: 'Changes' })
  await expect(diff.getByRole('insertion')).toContainText('replicas: 2')
  await expect(diff.getByRole('deletion')).toContainText('replicas: 1')
  await shot('edit')
  await accessible()

  await cluster.patch('deployments.apps', 'web', { metadata: { labels: { team: 'blue' } }, spec: { replicas: 3 } })
  const conflict = page.getByRole('region', { name: 'This object has changed since you began' })
  await expect(conflict).toContainText('Both of you have changed 1 field:')
  await expect(conflict).toContainText('spec.replicas')
  await shot('conflict')
  await accessible()
  await conflict.getByRole('button', { name: 'Merge the rest, keep mine' }).click()
  await expect(conflict).toBeHidden()
  await expect(editor).toContainText('team: blue')
  await expect(editor).toContainText('replicas: 2')
  await page.getByRole('button', { name: 'Preview changes' }).click()
  await expect(diff.getByRole('deletion')).toContainText('replicas: 3')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('list', { name: 'Notifications' })).toContainText('Saved: Deployment web')
  const web = await cluster.get('deployments.apps', 'web')
  expect([web.spec.replicas, web.metadata.labels.team]).toEqual([2, 'blue'])
})

test('every example of the documentation can be created', async ({ cluster, open, page }) => {
  const dir = join('..', 'docs', 'examples')
  const examples = readdirSync(dir).map((file) => readFileSync(join(dir, file), 'utf8'))
  const objects = examples.join('\n').match(/^kind:/gm)
  await open(`-/new?ns=${cluster.namespace}`)
  await paste(page.getByRole('textbox', { name: 'YAML of the objects to create' }), examples.join('\n---\n'))
  await page.getByRole('button', { name: 'Check only' }).click()
  const result = page.getByRole('complementary', { name: 'Result' })
  await expect(result.getByText('can be created.')).toHaveCount(objects?.length ?? 0)
  await expect(result).not.toContainText('problem')
})
