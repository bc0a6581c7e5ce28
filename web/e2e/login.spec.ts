import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { deployment, expect, job, test } from './fixtures'

const dir = mkdtempSync(join(tmpdir(), 'rowlock-login-'))
const tokens = join(dir, 'tokens.csv')
process.on('exit', () => rmSync(dir, { recursive: true }))
writeFileSync(tokens, 'the-key,admin,1,"system:masters"\nthe-glass,viewer,2,"rowlock:viewers"\nthe-dust,stranger,3\n', { mode: 0o600 })

test.use({ serve: [`--token-file=${tokens}`], token: 'the-key' })

test('who has no token is asked for one, a wrong one is told, and each may do what is theirs', async ({
  accessible,
  cluster,
  open,
  page,
  shot,
  watch,
}) => {
  watch.allow(401)
  const hourly = { schedule: '30 * * * *', jobTemplate: { spec: job('x', 'true').spec } }
  await cluster.apply(deployment('web', 1), { apiVersion: 'batch/v1', kind: 'CronJob', metadata: { name: 'hourly' }, spec: hourly })
  await cluster.available('web')
  await open(`deployments.apps/${cluster.namespace}/web/summary`)
  const dialog = page.getByRole('dialog', { name: 'Log in' })
  await dialog.getByLabel('Token').fill('no-such')
  await dialog.getByRole('button', { name: 'Log in' }).click()
  await expect(dialog.getByRole('alert')).toContainText('The server does not accept this token.')
  await shot('login')
  await accessible('dialog')
  await page.keyboard.press('Escape')
  await expect(dialog).toBeVisible()
  await expect(dialog.getByRole('button', { name: 'Close' })).toHaveCount(0)
  watch.allow(403)
  await dialog.getByLabel('Token').fill('the-dust')
  await dialog.getByRole('button', { name: 'Log in' }).click()
  await expect(page.getByRole('alert')).toContainText(
    `You do not have the right to list deployments in ${cluster.namespace}. An administrator can bind a role`,
  )
  await shot('stranger')
  await open()
  await expect(page.getByRole('alert')).toContainText('Choose a namespace, or ask an administrator.')
  await page.getByRole('alert').getByRole('button', { name: 'Log out' }).click()
  await open(`deployments.apps/${cluster.namespace}/web/summary`)
  await dialog.getByLabel('Token').fill('the-glass')
  await dialog.getByRole('button', { name: 'Log in' }).click()

  await page.getByText('Actions', { exact: true }).click()
  await expect(page.getByText(/more actions? needs? rights that you do not have/)).toBeVisible()
  await expect(page.getByRole('button', { name: 'Delete…' })).toHaveCount(0)
  await shot('viewer')
  await expect(page.getByRole('link', { name: 'Create from YAML' })).toHaveCount(0)
  await page.getByRole('link', { name: 'Rollout' }).click()
  for (const name of ['Pause', 'Restart', 'Scale…', 'Set image…']) {
    const button = page.getByRole('main').getByRole('button', { name, exact: true })
    await expect(button).toBeDisabled()
    await expect(button).toHaveAttribute('title', /You do not have the right to patch deployments/)
  }
  await page.getByRole('link', { name: 'Edit', exact: true }).click()
  await expect(page.getByText('You do not have the right to update deployments')).toBeVisible()
  await open('-/new')
  await expect(page.getByText('You do not have the right to create deployments in default.')).toBeVisible()
  for (const name of ['Check only', 'Create 1 object']) await expect(page.getByRole('button', { name })).toBeDisabled()
  await open(`cronjobs.batch/${cluster.namespace}/hourly`)
  for (const name of ['Run now', 'Suspend']) await expect(page.getByRole('main').getByRole('button', { name })).toBeDisabled()
  await page.locator('summary[aria-label^="Cluster clock"]').click()
  await expect(page.getByRole('region', { name: 'Cluster clock' }).getByRole('button', { name: 'Pause' })).toBeDisabled()
  await page.keyboard.press('Escape')
  await open('secrets')
  await expect(page.getByRole('alert')).toContainText('You do not have the right to')
  await expect(page.getByRole('grid')).toHaveCount(0)
  await expect(page.locator('.count')).toHaveCount(0)
  await open(`deployments.apps/${cluster.namespace}/web/summary`)
  await page.locator('summary[title="Settings"]').click()
  await expect(page.getByText('Logged in as viewer')).toBeVisible()
  await page.getByRole('button', { name: 'Log out' }).click()

  await dialog.getByLabel('Token').fill('the-key')
  await dialog.getByRole('button', { name: 'Log in' }).click()
  await page.getByText('Actions', { exact: true }).click()
  await expect(page.getByRole('button', { name: 'Delete…' })).toBeEnabled()
  expect(page.url()).not.toContain('the-key')
})

test('ports are reached by a command, as a link shows no token, and only by who may', async ({ cluster, open, page, watch }) => {
  watch.allow(401)
  const port = { containerPort: 80 }
  await cluster.apply({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'shop' },
    spec: { containers: [{ name: 'web', image: 'nginx:1.29', ports: [port] }] },
  })
  await cluster.until('the Pod runs', async () => (await cluster.get('pods', 'shop')).status?.phase === 'Running')
  await open(`pods/${cluster.namespace}/shop/network`)
  const dialog = page.getByRole('dialog', { name: 'Log in' })
  const logIn = async (token: string) => {
    await dialog.getByLabel('Token').fill(token)
    await dialog.getByRole('button', { name: 'Log in' }).click()
  }
  await logIn('the-key')
  await expect(page.getByText(`kubectl port-forward -n ${cluster.namespace} pod/shop 8080:80`)).toBeVisible()
  await page.locator('summary[title="Settings"]').click()
  await page.getByRole('button', { name: 'Log out' }).click()
  await logIn('the-glass')
  await expect(page.getByRole('row', { name: /^80/ })).toContainText('You do not have the right to get pods/proxy.')
})
