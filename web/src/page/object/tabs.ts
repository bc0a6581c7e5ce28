import type { ComponentType } from 'preact'
import type { Resource } from '../../api/resource'
import type { Key } from '../../i18n'
import type { TabProps } from './tabprops'

/** Tab is a view of an object. It is loaded on demand. */
export interface Tab {
  readonly id: string // in the address; '' is the first tab of the kind
  readonly title: Key
  /** Whether the kind has this tab. */
  readonly fits: (r: Resource) => boolean
  readonly load: () => Promise<ComponentType<TabProps>>
}

/** of returns a `fits` for a list of kinds. */
export const of =
  (...ids: string[]) =>
  (r: Resource): boolean =>
    ids.includes(r.id)

const always = (): boolean => true

const tree = () => import('../tree/tree').then((m) => m.Tree)

/** workloads are the kinds with a family. */
const workloads = [
  'deployments.apps',
  'replicasets.apps',
  'replicationcontrollers',
  'statefulsets.apps',
  'daemonsets.apps',
  'cronjobs.batch',
  'jobs.batch',
]

/** tabs are all of them, in the order in which they stand on the page. The first that fits a kind is what its objects open with. */
export const tabs: readonly Tab[] = [
  { id: 'rollout', title: 'tab.rollout', fits: of('deployments.apps'), load: () => import('../rollout/rollout').then((m) => m.Rollout) },
  {
    id: 'ordinals',
    title: 'tab.ordinals',
    fits: of('statefulsets.apps'),
    load: () => import('../set/statefulset').then((m) => m.Ordinals),
  },
  { id: 'nodes', title: 'tab.nodes', fits: of('daemonsets.apps'), load: () => import('../set/daemonset').then((m) => m.OverNodes) },
  {
    id: 'budget',
    title: 'tab.budget',
    fits: of('poddisruptionbudgets.policy'),
    load: () => import('../budget/budget').then((m) => m.BudgetView),
  },
  {
    id: 'scaling',
    title: 'tab.scaling',
    fits: of('horizontalpodautoscalers.autoscaling'),
    load: () => import('../scaling/scaling').then((m) => m.Scaling),
  },
  { id: 'job', title: 'tab.job', fits: of('jobs.batch'), load: () => import('../job/job').then((m) => m.JobView) },
  { id: 'runs', title: 'tab.cronjob', fits: of('cronjobs.batch'), load: () => import('../job/cronjob').then((m) => m.CronJobView) },
  { id: 'tree', title: 'tab.tree', fits: of(...workloads), load: tree },
  { id: 'summary', title: 'tab.summary', fits: always, load: () => import('./summary').then((m) => m.Summary) },
  { id: 'drain', title: 'act.drain', fits: of('nodes'), load: () => import('../budget/drain').then((m) => m.DrainView) },
  { id: 'log', title: 'tab.log', fits: of('pods'), load: () => import('../log/log').then((m) => m.Logs) },
  { id: 'log', title: 'tab.log', fits: of(...workloads), load: () => import('../log/workload').then((m) => m.WorkloadLogs) },
  {
    id: 'terminal',
    title: 'tab.terminal',
    fits: of('pods'),
    load: () => import('../terminal/terminal').then((m) => m.Terminal),
  },
  { id: 'network', title: 'tab.network', fits: of('pods', 'services'), load: () => import('../network/network').then((m) => m.Network) },
  { id: 'tree', title: 'tab.tree', fits: of('pods'), load: tree },
  { id: 'history', title: 'changes.tab', fits: always, load: () => import('../changes/history').then((m) => m.History) },
  { id: 'edit', title: 'tab.edit', fits: (r) => r.verbs.includes('update'), load: () => import('../../act/edit').then((m) => m.Edit) },
  { id: 'yaml', title: 'tab.yaml', fits: always, load: () => import('./yaml').then((m) => m.Yaml) },
]
