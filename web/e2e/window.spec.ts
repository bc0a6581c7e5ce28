import { deployment, expect, test } from './fixtures'

// A browser keeps six connections to a server without TLS, for all its windows together; each window takes one for good.
test('many windows stay live at once', async ({ cluster, context, page, open }) => {
  await cluster.apply(deployment('web', 1))
  await cluster.available('web')
  const windows = [page]
  while (windows.length < 4) windows.push(await context.newPage())
  for (const one of windows) {
    await one.goto(`/ui/?ns=${cluster.namespace}`)
    await expect(one.getByRole('main').getByRole('link', { name: /^Pods 1$/ })).toBeVisible()
  }
  await cluster.patch('deployments.apps', 'web', { spec: { replicas: 4 } })
  for (const one of windows) await expect(one.getByRole('main').getByRole('link', { name: /^Pods 4$/ })).toBeVisible()
  await open(`deployments.apps/${cluster.namespace}/web`)
})
