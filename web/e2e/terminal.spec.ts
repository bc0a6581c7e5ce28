import { expect, test } from './fixtures'

const box = `
apiVersion: v1
kind: Pod
metadata: {name: box}
spec:
  containers:
  - {name: main, image: busybox, command: [sleep, '3600']}
  - {name: web, image: 'nginx:1.29'}
`

test('a shell runs in a container, and says how it ended', async ({ cluster, open, page, shot, accessible }) => {
  await cluster.apply(box)
  await cluster.until('the Pod is ready', async () => {
    const statuses = (await cluster.get('pods', 'box')).status?.containerStatuses ?? []
    return statuses.length === 2 && statuses.every((s: { ready: boolean }) => s.ready)
  })
  await open(`pods/${cluster.namespace}/box/terminal`)
  const status = page.getByRole('status').filter({ hasText: 'Running in main' })
  await expect(status).toBeVisible()
  await page.keyboard.type('echo $((40+2)) "<b>not bold</b>"\n')
  const rows = page.locator('.xterm-rows')
  await expect(rows).toContainText('42 <b>not bold</b>')
  await accessible('.terminal')
  await shot('terminal')

  await page.keyboard.type('exit 3\n')
  await expect(page.getByText('Exited with code 3.')).toBeVisible()

  // Another command in the other container.
  await page.getByRole('combobox', { name: 'Container' }).selectOption('web')
  await page.getByRole('textbox', { name: 'Command' }).fill('hostname')
  await page.getByRole('button', { name: 'Run' }).click()
  await expect(rows).toContainText('box')
  await expect(page.getByText('Exited with code 0.')).toBeVisible()
})
