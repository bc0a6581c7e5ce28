import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { deployment, expect, test } from './fixtures'

const tokens = join(mkdtempSync(join(tmpdir(), 'rowlock-login-')), 'tokens.csv')
writeFileSync(tokens, 'the-key,admin,1,"system:masters"\nthe-glass,viewer,2,"rowlock:viewers"\n', { mode: 0o600 })

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
  await cluster.apply(deployment('web', 1))
  await cluster.available('web')
  await open(`deployments.apps/${cluster.namespace}/web/summary`)
  const dialog = page.getByRole('dialog', { name: 'Log in' })
  await dialog.getByLabel('Token').fill('no-such')
  await dialog.getByRole('button', { name: 'Log in' }).click()
  await expect(dialog.getByRole('alert')).toContainText('The server does not know this token.')
  await shot('login')
  await accessible('dialog')
  await page.keyboard.press('Escape')
  await expect(dialog).toBeVisible()
  await dialog.getByLabel('Token').fill('the-glass')
  await dialog.getByRole('button', { name: 'Log in' }).click()

  await page.getByText('Actions', { exact: true }).click()
  await expect(page.getByText(/more actions? needs? rights that you do not have/)).toBeVisible()
  await expect(page.getByRole('button', { name: 'Delete…' })).toHaveCount(0)
  await shot('viewer')
  await page.getByText('⚙').click()
  await expect(page.getByText('Logged in as viewer')).toBeVisible()
  await page.getByRole('button', { name: 'Log out' }).click()

  await dialog.getByLabel('Token').fill('the-key')
  await dialog.getByRole('button', { name: 'Log in' }).click()
  await page.getByText('Actions', { exact: true }).click()
  await expect(page.getByRole('button', { name: 'Delete…' })).toBeEnabled()
  expect(page.url()).not.toContain('the-key')
})
