import { deployment, expect, job, template, test } from './fixtures'

test('the overview says what is wrong and why, and leads there', async ({ cluster, open, page, shot, accessible }) => {
  await cluster.apply(
    deployment('web', 3),
    deployment('typo', 4, { template: template('typo', 'nginx:nonexistent'), progressDeadlineSeconds: 15 }),
    deployment('crash', 1, {
      template: {
        ...template('crash'),
        spec: { containers: [{ name: 'main', image: 'busybox:1.36', command: ['sh', '-c', 'exit 3'] }] },
      },
    }),
    deployment('huge', 2, {
      template: {
        ...template('huge'),
        spec: { containers: [{ name: 'main', image: 'nginx:1.28', resources: { requests: { cpu: '5000' } } }] },
      },
    }),
    job('import', 'exit 1', { backoffLimit: 0 }),
  )
  await cluster.available('web')
  await open(`?ns=${cluster.namespace}`)
  const problem = (text: string) => page.getByRole('region', { name: 'Problems' }).getByRole('listitem').filter({ hasText: text })

  const job1 = problem('Job ').filter({ hasText: 'import' })
  await expect(job1).toContainText('The Job has failed more often than its limit allows. BackoffLimitExceeded')
  const pull = problem('4 Pods cannot pull nginx:nonexistent (not found).')
  await expect(pull.getByRole('link', { name: '4 Pods' })).toBeVisible()
  const crash = problem('1 Pod keeps crashing.')
  await expect(crash).toContainText('Exit code 3.')
  await cluster.clock.advance('20s')
  // Each cause is there once, with what follows from it, also while what crashes runs in between.
  await expect(pull).toContainText('The rollout has made no progress for 15 seconds. ProgressDeadlineExceeded')
  await expect(problem('/typo')).toHaveCount(1)
  await expect(crash).toHaveCount(1)
  await expect(crash.getByRole('link', { name: 'Log' })).toBeVisible()
  const huge = problem('2 Pods do not fit on any node.')
  await expect(huge).toContainText('Insufficient cpu')
  await expect(huge).toContainText('2 Pods')
  await expect(page.getByRole('region', { name: 'Workloads' })).toContainText('Deployments 4')
  await expect(page.getByRole('region', { name: 'Newest warnings' })).toContainText('BackOff')
  await shot('overview-problems')

  // While the cluster is being read, the page does not say that all is well.
  await page.addInitScript(watchText, ['Nothing is wrong.', 'There are no warnings.'])
  await page.reload()
  await expect(page.getByRole('region', { name: 'Newest warnings' })).toContainText('BackOff')
  await expect(pull).toBeVisible()
  expect(await page.evaluate(() => document.documentElement.dataset.said ?? '')).toBe('')
  await page.setViewportSize({ width: 380, height: 780 })
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(380)
  await page.emulateMedia({ colorScheme: 'dark' })
  await shot('overview-small')
  await page.setViewportSize({ width: 380, height: 3000 }) // so that the bottom covers no half of a link, which axe takes for its size
  await accessible()
  await page.setViewportSize({ width: 1280, height: 800 })

  // It is mended, and the overview says so without being asked.
  await cluster.apply(deployment('typo', 4))
  await expect(pull).toHaveCount(0)
  await expect(problem('The rollout has made no progress')).toHaveCount(0)

  // Effects of a fault are listed below the fault, which can be ended there.
  await cluster.apply({
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    metadata: { name: 'guard' },
    spec: { minAvailable: 3, selector: { matchLabels: { app: 'web' } } },
  })
  const pods = { namespace: cluster.namespace, selector: 'app=web', action: 'crashloop' }
  await cluster.request('POST', '/rowlock/v1/faults', { pod: pods })
  const fault = problem('Injected fault: ')
  await expect(fault).toContainText(`Deployment ${cluster.namespace}/web 3 Pods keep crashing.`)
  await expect(fault).toContainText(`PodDisruptionBudget ${cluster.namespace}/guard Too few Pods are healthy`)
  await shot('overview-fault')
  await fault.getByRole('button', { name: 'Lift' }).click()
  await expect(fault).toHaveCount(0)

  await huge.getByRole('link', { name: '2 Pods' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Pods' })).toBeVisible()
  await expect(page.getByRole('grid')).toHaveAttribute('aria-rowcount', '3')
})

/** watchText notes in the page, from its beginning, which of some texts has been seen on it. */
function watchText(texts: string[]): void {
  new MutationObserver(() => {
    const shown = document.body?.textContent ?? ''
    for (const text of texts) if (shown.includes(text)) document.documentElement.dataset.said = text
  }).observe(document, { childList: true, subtree: true, characterData: true })
}
