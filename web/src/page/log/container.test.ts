import { expect, test } from 'vitest'
import { type ContainerStatus, containersOf, type Pod } from './container'

const pod = (...statuses: ContainerStatus[]): Pod => ({
  metadata: { name: 'p', uid: 'u', resourceVersion: '1', creationTimestamp: '' },
  spec: { initContainers: [{ name: 'setup' }], containers: [{ name: 'app' }] },
  status: { containerStatuses: statuses },
})
const app = (...statuses: ContainerStatus[]) => containersOf(pod(...statuses)).find((c) => c.name === 'app')

test('init containers come first', () => {
  expect(containersOf(pod()).map((c) => [c.name, c.init])).toEqual([
    ['setup', true],
    ['app', false],
  ])
})

test.each<[string, ContainerStatus[], { runs: number; previous: boolean; waiting: string }]>([
  ['not heard of', [], { runs: 0, previous: false, waiting: 'Pending' }],
  [
    'image does not come',
    [{ name: 'app', restartCount: 0, state: { waiting: { reason: 'ImagePullBackOff' } } }],
    { runs: 0, previous: false, waiting: 'ImagePullBackOff' },
  ],
  ['running', [{ name: 'app', restartCount: 0, state: { running: {} } }], { runs: 1, previous: false, waiting: '' }],
  ['ended', [{ name: 'app', restartCount: 0, state: { terminated: {} } }], { runs: 1, previous: false, waiting: '' }],
  [
    'backing off',
    [{ name: 'app', restartCount: 3, state: { waiting: { reason: 'CrashLoopBackOff' } }, lastState: { terminated: {} } }],
    { runs: 4, previous: true, waiting: '' },
  ],
])('a container that is %s', (_, statuses, want) => {
  expect(app(...statuses)).toMatchObject(want)
})
