import { deployment, expect, template, test } from './fixtures'

const set = (name: string, replicas: number, image?: string) => ({
  apiVersion: 'apps/v1',
  kind: 'StatefulSet',
  metadata: { name },
  spec: {
    replicas,
    serviceName: name,
    selector: { matchLabels: { app: name } },
    template: template(name, image),
    volumeClaimTemplates: [
      { metadata: { name: 'data' }, spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } } },
    ],
  },
})

test('a StatefulSet by ordinal, a DaemonSet over the nodes', async ({ cluster, open, page, shot, accessible }) => {
  await cluster.clock.pause()
  const agent = {
    selector: { matchLabels: { app: 'agent' } },
    template: template('agent', 'nginx:1.28', { nodeSelector: { disk: 'ssd' } }),
  }
  await cluster.apply(set('db', 3, 'nginx:nonexistent'), {
    apiVersion: 'apps/v1',
    kind: 'DaemonSet',
    metadata: { name: 'agent' },
    spec: agent,
  })
  await cluster.clock.advance('40s')

  // The overview says where it is stuck.
  await open(`?ns=${cluster.namespace}`)
  const problems = page.getByRole('region', { name: 'Problems' })
  await problems
    .getByRole('listitem')
    .filter({ hasText: 'Waiting at ordinal 0: db-0 is not ready.' })
    .getByRole('link', { name: 'StatefulSet' })
    .click()
  await expect(page.getByRole('status').filter({ hasText: 'Waiting at ordinal 0' })).toBeVisible()
  const row = (ordinal: string) => page.getByRole('row').filter({ has: page.getByRole('rowheader', { name: ordinal, exact: true }) })
  await expect(row('0')).toContainText('data-db-0')
  await expect(row('2')).toContainText('no Pod')
  await accessible('main')

  // It is mended: the broken Pod has to be deleted by hand (STS-032).
  await cluster.apply(set('db', 3))
  await cluster.clock.advance('0s')
  await cluster.remove('pods', 'db-0', { gracePeriodSeconds: 0 })
  await cluster.clock.advance('30s')
  await expect(page.getByText('All 3 Pods are ready.')).toBeVisible()
  await expect(row('2').getByRole('link', { name: 'data-db-2' })).toBeVisible()
  await shot('ordinals')
  await page.getByRole('link', { name: 'Family' }).click()
  await expect(page.getByRole('region', { name: 'Connected objects' })).toContainText(
    `The Service db, which its Pods’ DNS names need, does not exist.`,
  )
  const path = { path: '/', pathType: 'Prefix', backend: { service: { name: 'db', port: { number: 80 } } } }
  await cluster.apply(
    {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 'db' },
      spec: { clusterIP: 'None', selector: { app: 'db' }, ports: [{ port: 80 }] },
    },
    {
      apiVersion: 'networking.k8s.io/v1',
      kind: 'Ingress',
      metadata: { name: 'front' },
      spec: { rules: [{ host: 'db.example.com', http: { paths: [path] } }] },
    },
  )
  await expect(page.getByRole('listitem').filter({ hasText: 'Ingress' })).toContainText('db.example.com')

  // No node has the label that the DaemonSet asks for; then one has.
  await open(`daemonsets.apps/${cluster.namespace}/agent`)
  await expect(page.getByText('No node is eligible.')).toBeVisible()
  await cluster.patch('nodes', 'node-1', { metadata: { labels: { disk: 'ssd' } } })
  await cluster.clock.advance('10s')
  const has = page.getByRole('region', { name: /^Its Pod/ })
  await expect(has.getByRole('listitem').filter({ hasText: 'node-1' })).toContainText('Running')
  await expect(page.getByRole('region', { name: /^No Pod on/ })).not.toContainText('node-1')
  await accessible('main')
  await shot('over-nodes')
  await cluster.patch('nodes', 'node-1', { metadata: { labels: { disk: null } } })
})

test('an autoscaler beside its metrics, a budget, and the drain that it holds up', async ({ cluster, open, page, shot, accessible }) => {
  await cluster.clock.pause()
  const resources = { requests: { cpu: '100m' } }
  const web = deployment('web', 2, {
    template: template('web', 'nginx:1.28', { containers: [{ name: 'main', image: 'nginx:1.28', resources }] }),
  })
  web.metadata.annotations = { 'emulation.rowlock.io/load': 'cpu=300m' }
  const cpu = { type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 60 } } }
  await cluster.apply(
    web,
    {
      apiVersion: 'autoscaling/v2',
      kind: 'HorizontalPodAutoscaler',
      metadata: { name: 'web' },
      spec: { scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' }, minReplicas: 2, maxReplicas: 4, metrics: [cpu] },
    },
    {
      apiVersion: 'policy/v1',
      kind: 'PodDisruptionBudget',
      metadata: { name: 'web' },
      spec: { minAvailable: '100%', selector: { matchLabels: { app: 'web' } } },
    },
  )
  await cluster.clock.advance('3m')
  await open(`horizontalpodautoscalers.autoscaling/${cluster.namespace}/web`)
  await expect(page.getByText('Held at its maximum of 4 replicas.')).toBeVisible()
  await expect(page.getByText(/^Up from 2 to 4/)).toBeVisible()
  await expect(page.getByRole('slider', { name: 'Replicas and metrics over time' })).toBeVisible()
  await expect(page.getByRole('row', { name: /^cpu/ })).toContainText('60%')
  await accessible('main')
  await shot('scaling')

  await open(`poddisruptionbudgets.policy/${cluster.namespace}/web`)
  await expect(page.getByText('No disruption is allowed: 4 of 4 Pods are healthy, and 4 must be.')).toBeVisible()
  await accessible('main')
  await shot('budget')
  await page
    .getByRole('row')
    .getByRole('link', { name: /^node-/ })
    .first()
    .click()
  await expect(page.getByText(/^Budgets would hold up \d of \d evictions? now\.$/)).toBeVisible()
  await expect(page.getByRole('listitem').filter({ hasText: `${cluster.namespace}/web` })).toContainText('4 healthy, 4 required.')
  await accessible('main')
  await shot('drain')
})
