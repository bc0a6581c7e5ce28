import type { Page } from '@playwright/test'
import { deployment, expect, paste, test } from './fixtures'

const markup = '<img src=x onerror=alert(1)>"\'&amp;{name}'
const marks = '\u202Egnp.exe\u2067 \u200Fabc'
const escapes = '\\u0000\\x00\\0%00&#0;'
const long = 'very-long-'.repeat(26).slice(0, 253).replace(/-$/, 'x')
const huge = 'x'.repeat(200_000)

/** hostile is text with everything that could be mistaken for something else. */
const hostile = `${markup} ${marks} ${escapes}`

const definition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'traps.example.com' },
  spec: {
    group: 'example.com',
    names: { kind: 'Trap', plural: 'traps' },
    scope: 'Namespaced',
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: {
              spec: {
                type: 'object',
                description: hostile,
                properties: { [markup]: { type: 'string', description: hostile, enum: [hostile, 'yes', 'a: b # c'] } },
              },
            },
          },
        },
      },
    ],
  },
}

/** fits checks that nothing makes the page wider than the window. */
async function fits(page: Page): Promise<void> {
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0)
}

test('hostile names and texts are only text: in the family, the jump dialog, the timeline and the fork comparison', async ({
  accessible,
  cluster,
  open,
  page,
  shot,
}) => {
  const { namespace } = cluster
  const config = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: long }, data: { text: hostile } }
  const env = [{ configMapRef: { name: long } }]
  await cluster.apply(
    { ...config, metadata: { name: long, annotations: { hostile, huge } } },
    deployment('web', 2, {
      template: {
        metadata: { labels: { app: 'web' }, annotations: { hostile } },
        spec: { containers: [{ name: 'main', image: 'nginx:1.28', envFrom: env }] },
      },
    }),
    {
      apiVersion: 'v1',
      kind: 'Event',
      metadata: { name: 'hostile', namespace },
      type: 'Warning',
      reason: markup,
      message: hostile,
      involvedObject: { kind: 'Deployment', apiVersion: 'apps/v1', namespace, name: 'web' },
      source: { component: markup },
      firstTimestamp: new Date().toISOString(),
      lastTimestamp: new Date().toISOString(),
      count: 1,
    },
  )
  await cluster.available('web')
  const widths = [380, 1280]
  const each = async (look: (width: number) => Promise<void>) => {
    for (const width of widths) {
      await page.setViewportSize({ width, height: 800 })
      await look(width)
      await fits(page)
    }
  }

  await open(`deployments.apps/${namespace}/web/tree`)
  const around = page.getByRole('region', { name: 'Connected objects' })
  await expect(around.getByRole('link', { name: long })).toBeVisible()
  await each((width) => shot(`hostile-tree-${width}`))
  await accessible('main')

  // The jump dialog finds the longest name, and takes any text for a search.
  await page.keyboard.press('Control+k')
  const dialog = page.getByRole('dialog', { name: 'Jump' })
  await page.keyboard.type(long.slice(0, 30))
  await expect(dialog.getByRole('option', { name: long }).first()).toBeVisible()
  await each((width) => shot(`hostile-jump-${width}`))
  await dialog.getByRole('combobox').fill(hostile)
  await expect(dialog).toContainText('No results.')
  await dialog.getByRole('combobox').fill(long.toUpperCase())
  await expect(dialog.getByRole('option', { name: long }).first()).toBeVisible()
  await page.keyboard.press('Escape')

  // The timeline describes the problem by its reason.
  const sign = page.locator('.scrubber-picture .sign.problem').last()
  await expect(sign).toBeAttached()
  await sign.hover({ force: true })
  const tip = page.locator('.scrubber-tip')
  await expect(tip).toContainText(`${markup}: Deployment web`)
  await shot('hostile-timeline')
  await fits(page)
  await page.mouse.move(640, 200)

  // A change of a hostile text, in the comparison of a fork with its origin.
  const fork = `fork-${namespace}`
  await cluster.request('POST', '/rowlock/v1/forks', { name: fork })
  try {
    await cluster.within(`/forks/${fork}`).apply({ ...config, data: { text: `${hostile}!`, [`${'k'.repeat(240)}`]: huge } })
    await open(`-/difference?fork=${fork}&ns=${namespace}`)
    await page.getByText(long).first().click()
    await expect(page.getByRole('main')).toContainText(`${markup} `)
    await each((width) => shot(`hostile-fork-${width}`))
    await accessible('main')
  } finally {
    await page.goto('about:blank')
    await cluster.request('DELETE', `/rowlock/v1/forks/${fork}`)
  }
})

test('hostile lines of a workload are only text, and end where they end', async ({ cluster, open, page, shot }) => {
  const script = [
    `printf '%s\\n' "$LINE"`,
    `printf 'null \\000 byte, \\033[31mred\\033[0m, \\033]0;title\\007 bell\\n'`,
    `printf '\\342\\200\\256reversed\\n'`,
    'echo ERROR the last line',
    'while true; do sleep 60; done',
  ].join('; ')
  const container = { name: 'main', image: 'busybox:1.36', command: ['sh', '-c', script], env: [{ name: 'LINE', value: hostile }] }
  await cluster.apply(deployment('choir', 2, { template: { metadata: { labels: { app: 'choir' } }, spec: { containers: [container] } } }))
  await cluster.available('choir')
  await open(`deployments.apps/${cluster.namespace}/choir/log`)
  const log = page.getByRole('log')
  await expect(log.getByText('ERROR the last line')).toHaveCount(2)
  await expect(log.locator('.line', { hasText: markup })).toHaveCount(2)
  await expect(log.locator('.line', { hasText: 'byte, red,' })).toHaveCount(2)
  // Text that runs from right to left stays within its own line, after the name of its Pod.
  const line = log.locator('.line', { hasText: 'reversed' }).first()
  const order = await line.evaluate((l) => {
    const name = l.querySelector('b')
    const all = document.createRange()
    all.selectNodeContents(l)
    const rest = document.createRange()
    if (name) rest.setStartAfter(name)
    rest.setEnd(all.endContainer, all.endOffset)
    return (name?.getBoundingClientRect().left ?? 0) - rest.getBoundingClientRect().left
  })
  expect(order).toBeLessThanOrEqual(0)
  for (const width of [380, 1280]) {
    await page.setViewportSize({ width, height: 800 })
    await fits(page)
    await shot(`hostile-log-${width}`)
  }
})

test('hostile fields and values of a custom resource are suggested as text, and quoted', async ({ cluster, open, page, shot }) => {
  await cluster.apply(definition)
  try {
    await cluster.until('the kind is served', () => cluster.list('traps.example.com'))
    await open(`-/new?ns=${cluster.namespace}`)
    const editor = page.getByRole('textbox', { name: 'YAML of the objects to create' })
    await paste(editor, 'apiVersion: example.com/v1\nkind: Trap\nmetadata:\n  name: one\nspec:\n  ')
    await page.keyboard.press('Control+Space')
    const options = page.getByRole('listbox', { name: 'Suggestions' }).getByRole('option')
    await expect(options).toHaveCount(1)
    await expect(options).toContainText(markup)
    await shot('hostile-suggestions')
    await page.keyboard.press('Enter')
    const about = page.getByRole('region', { name: 'Field at the cursor' })
    await expect(about).toContainText(markup)
    await page.keyboard.press('Control+Space')
    await expect(options).toHaveCount(3)
    await options.filter({ hasText: 'yes' }).click()
    await expect(editor).toContainText('"yes"')
    await shot('hostile-field')
    await fits(page)
    await page.getByRole('button', { name: 'Check only' }).click()
    await expect(page.getByRole('complementary', { name: 'Result' })).toContainText('can be created.')
  } finally {
    await page.goto('about:blank')
    await cluster.remove('customresourcedefinitions.apiextensions.k8s.io', 'traps.example.com')
  }
})
