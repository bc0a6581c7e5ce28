import type { KubeObject } from '../api/object'
import { resources } from '../api/resource'
import type { Deployment } from '../api/workload'
import { shownNow } from '../clock/clock'
import { type Key, t } from '../i18n'
import type { CronJob } from '../page/job/kinds'
import { objectHref } from '../route'
import { type Action, done, type Target } from './action'
import { runNow, setSuspended } from './job'
import { accessTo } from './may'
import { type Act, pause, type Refusal, restart, send } from './workload'

const mayPatch: Action['needs'] = ({ resource, object }) => [accessTo('patch', resource, object.metadata.namespace)]

const isDeployment = ({ resource }: Target): boolean => resource.id === 'deployments.apps'

const restartable = ['deployments.apps', 'statefulsets.apps', 'daemonsets.apps']

const spec = <S>(o: KubeObject): S => (o.spec ?? {}) as S

const paused = ({ object }: Target): boolean => spec<{ paused?: boolean }>(object).paused === true

const suspends = ({ resource }: Target): boolean => resource.id === 'jobs.batch' || resource.id === 'cronjobs.batch'

const suspended = ({ object }: Target): boolean => spec<{ suspend?: boolean }>(object).suspend === true

/** carryOut makes a change and reports it, unless there is a reason not to. */
async function carryOut(of: Target, act: Act | Refusal, said: Key): Promise<void> {
  if (typeof act === 'string') throw new Error(t(`workload.${act}`))
  await send(act)
  done(t(said), of)
}

async function suspend(of: Target, is: boolean): Promise<void> {
  await setSuspended(of.resource, of.object, is)
  done(t(is ? 'act.suspended' : 'act.resumed'), of)
}

/** runActions are the actions that the pages of Deployments, Jobs and CronJobs offer too. */
export const runActions: readonly Action[] = [
  {
    id: 'rollout',
    title: 'act.rollout',
    fits: isDeployment,
    needs: mayPatch,
    to: ({ resource, object: { metadata: m } }) => objectHref(resource.id, m.namespace, m.name, 'rollout'),
  },
  {
    id: 'restart',
    title: 'rollout.restart',
    fits: (of) => restartable.includes(of.resource.id) && !paused(of),
    needs: mayPatch,
    run: (of) => carryOut(of, restart(of.resource, of.object, shownNow.value), 'rollout.restarted'),
  },
  {
    id: 'scale',
    title: 'rollout.scale',
    fits: ({ resource }) => resource.subresources.includes('scale'),
    needs: ({ resource, object }) => [accessTo('patch', resource, object.metadata.namespace, 'scale')],
    dialog: () => import('./scaling').then((m) => m.Scaling),
  },
  {
    id: 'pause',
    title: 'rollout.pause',
    fits: (of) => isDeployment(of) && !paused(of),
    needs: mayPatch,
    run: (of) => carryOut(of, pause(of.resource, of.object as Deployment, true), 'rollout.pausedNow'),
  },
  {
    id: 'resume',
    title: 'rollout.resume',
    fits: (of) => isDeployment(of) && paused(of),
    needs: mayPatch,
    run: (of) => carryOut(of, pause(of.resource, of.object as Deployment, false), 'rollout.resumedNow'),
  },
  {
    id: 'run-now',
    title: 'cronjob.runNow',
    fits: ({ resource }) => resource.id === 'cronjobs.batch',
    needs: ({ object }) => [{ verb: 'create', group: 'batch', resource: 'jobs', namespace: object.metadata.namespace }],
    run: async ({ object }) => {
      const jobs = resources.value.get('jobs.batch')
      if (jobs) done(t('act.started'), { resource: jobs, object: await runNow(jobs, object as unknown as CronJob) })
    },
  },
  {
    id: 'suspend',
    title: 'job.suspend',
    fits: (of) => suspends(of) && !suspended(of),
    needs: mayPatch,
    run: (of) => suspend(of, true),
  },
  {
    id: 'unsuspend',
    title: 'job.resume',
    fits: (of) => suspends(of) && suspended(of),
    needs: mayPatch,
    run: (of) => suspend(of, false),
  },
]
