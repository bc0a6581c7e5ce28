import { expect, test } from 'vitest'
import { jobOf } from './job'

test('a run by hand is what kubectl create job --from makes', () => {
  const cronJob = {
    metadata: { name: 'n'.repeat(52), namespace: 'ns', uid: 'u', resourceVersion: '1', creationTimestamp: '' },
    spec: { schedule: '@daily', jobTemplate: { metadata: { labels: { a: 'b' }, annotations: { c: 'd' } }, spec: { parallelism: 2 } } },
  }
  expect(jobOf(cronJob)).toEqual({
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: {
      generateName: `${'n'.repeat(50)}-manual-`,
      namespace: 'ns',
      labels: { a: 'b' },
      annotations: { c: 'd', 'cronjob.kubernetes.io/instantiate': 'manual' },
      ownerReferences: [{ apiVersion: 'batch/v1', kind: 'CronJob', name: 'n'.repeat(52), uid: 'u', controller: true }],
    },
    spec: { parallelism: 2 },
  })
})
