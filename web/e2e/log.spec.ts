import { readFile } from 'node:fs/promises'
import { deployment, edge, expect, test } from './fixtures'

test.use({ timezoneId: 'America/New_York' })

const talkative = `
apiVersion: v1
kind: Pod
metadata: {name: talkative}
spec:
  initContainers:
  - {name: setup, image: busybox, command: [sh, -c, 'echo preparing']}
  containers:
  - {name: counter, image: busybox, command: [sh, -c, 'i=0; while true; do echo "count $i <b>not bold</b>"; i=$((i+1)); sleep 1; done']}
  - {name: unlucky, image: busybox, command: [sh, -c, 'echo this is the end; sleep 2; exit 1']}
`

test('the logs of several containers are followed, searched, and read from before a restart', async ({
  cluster,
  open,
  page,
  shot,
  accessible,
  watch,
}) => {
  await cluster.apply(talkative)
  await cluster.until('a container has been restarted', async () => {
    const statuses = (await cluster.get('pods', 'talkative')).status?.containerStatuses ?? []
    return statuses.some((s: { restartCount: number }) => s.restartCount > 0)
  })
  await open(`pods/${cluster.namespace}/talkative/log`)
  const log = page.getByRole('log')
  await expect(log).toContainText('preparing')
  await expect(log).toContainText('this is the end')

  // Followed: what is written now comes, and markup in it is text.
  const before = (await log.getByText('not bold').count()) + 2
  await expect(log.getByText(`count ${before} <b>not bold</b>`)).toBeVisible()
  await accessible('.log')
  await shot('logs')

  // Searched, from the keyboard.
  await page.keyboard.press('/')
  await page.keyboard.type('THE END')
  await expect(log.locator('mark').first()).toHaveText('the end')
  await expect(log.getByText('not bold')).toHaveCount(0)
  await expect(page).toHaveURL(/q=THE\+END/)
  await page.getByRole('searchbox', { name: 'Search the lines' }).fill('')

  // One container, and what it wrote before it was restarted.
  await page.getByRole('combobox', { name: 'Container' }).selectOption('unlucky')
  await expect(log.getByText('not bold')).toHaveCount(0)
  await page.getByRole('checkbox', { name: 'Before the last restart' }).check()
  await page.getByRole('checkbox', { name: 'Times' }).check()
  await expect(log.getByText('this is the end')).toHaveCount(1)
  const time = log.locator('time').first()
  await expect(time).toHaveText(/^[A-Z][a-z]{2} \d+, \d\d:\d\d:\d\d\.\d{3}/) // in the person's zone, as all else
  await expect(time).toHaveAttribute('datetime', /^\d{4}-\d\d-\d\dT.*Z$/)
  const written = new Date((await time.getAttribute('datetime')) ?? '')
  await expect(time).toContainText(
    written.toLocaleTimeString('en-US', { timeZone: 'America/New_York', hour: '2-digit', minute: '2-digit' }).slice(0, 5),
  )

  // The logs of a Pod are deleted with it; at moments when the Pod existed, the page says so.
  const then = (await cluster.get('pods', 'talkative')).metadata.resourceVersion
  await cluster.remove('pods', 'talkative', { gracePeriodSeconds: 0 })
  await cluster.pods(0)
  watch.allow(404)
  await open(`pods/${cluster.namespace}/talkative/log?at=${then}`)
  await expect(log).toContainText('The logs were deleted with the Pod.')
  await expect(page.getByText('0 lines')).toBeVisible()
})

test('a workload has one log of all its Pods, by levels, and as a file', async ({ cluster, open, page, shot, accessible }) => {
  const script = 'echo "INFO serving from $HOSTNAME"; echo "ERROR lost from $HOSTNAME"; while true; do sleep 60; done'
  const spec = { containers: [{ name: 'main', image: 'busybox', command: ['sh', '-c', script] }] }
  await cluster.apply(deployment('choir', 2, { template: { metadata: { labels: { app: 'choir' } }, spec } }))
  await cluster.available('choir')
  const names = (await cluster.pods(2, 'app=choir')).map((p) => p.metadata.name)
  await open(`deployments.apps/${cluster.namespace}/choir/log`)
  const log = page.getByRole('log')
  for (const name of names) {
    await expect(log.getByText(`INFO serving from ${name}`)).toBeVisible()
    await expect(log.locator('b', { hasText: name }).first()).toBeVisible()
  }
  await page.getByRole('combobox', { name: 'Level' }).selectOption('Errors')
  await expect(log.getByText('INFO serving')).toHaveCount(0)
  await expect(log.getByText('ERROR lost')).toHaveCount(2)
  await shot('workload-logs')
  await accessible('.log')
  const file = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download' }).click()
  const saved = await file
  expect(saved.suggestedFilename()).toBe('choir.log')
  expect((await readFile(await saved.path(), 'utf8')).trim().split('\n')).toHaveLength(2)

  // On a phone the end of a log is above the bar of the timeline, in the past too.
  const then = (await cluster.get('deployments.apps', 'choir')).metadata.resourceVersion
  await page.setViewportSize({ width: 380, height: 780 })
  for (const address of ['log', `log?at=${then}`]) {
    await open(`pods/${cluster.namespace}/${names[0]}/${address}`)
    await expect(log).toContainText('ERROR lost')
    await expect(page.getByRole('slider', { name: 'Moment shown' })).toBeVisible()
    expect(await edge(log, 'bottom')).toBeLessThan(await edge(page.locator('.bottom'), 'top'))
  }
})

test('a container that never starts says why', async ({ cluster, open, page }) => {
  await cluster.apply({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'stuck' },
    spec: { containers: [{ name: 'main', image: 'nginx:1.161' }] },
  })
  await cluster.until('the pull has failed', async () =>
    (await cluster.get('pods', 'stuck')).status?.containerStatuses?.[0]?.state?.waiting?.reason?.includes('Image'),
  )
  await open(`pods/${cluster.namespace}/stuck/log`)
  await expect(page.getByText(/main has not started: (ErrImagePull|ImagePullBackOff)/)).toBeVisible()
})
