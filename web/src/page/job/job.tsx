import { useMemo } from 'preact/hooks'
import { DoButton } from '../../act/dobutton'
import { setSuspended } from '../../act/job'
import { accessTo } from '../../act/may'
import { conditionOf } from '../../api/object'
import type { Pod } from '../../api/pod'
import { type Resource, resources } from '../../api/resource'
import { useObjects } from '../../api/use'
import { reading, shownNow } from '../../clock/clock'
import { t } from '../../i18n'
import { at, objectHref } from '../../route'
import { formatAge } from '../../ui/age'
import { StateMark } from '../../ui/state'
import { Trouble } from '../../ui/trouble'
import { Logs } from '../log/log'
import type { TabProps } from '../object/tabprops'
import { attemptsOf } from './attempts'
import { cellsOf } from './cells'
import { Grid } from './grid'
import type { Job } from './kinds'
import { Timeline } from './timeline'
import { wordsOf } from './words'
import '../../style/job.css'

/**
 * JobView shows a Job: its state, its indexes, a timeline of its attempts, and the log of the
 * newest.
 */
export function JobView({ resource, object }: TabProps) {
  const job = object as Job
  const { namespace = '', name } = job.metadata
  const podResource = resources.value.get('pods')
  const pods = useObjects<Pod>(podResource ? { resource: podResource, namespace, labels: `batch.kubernetes.io/job-name=${name}` } : null)
  const { cells, attempts, newest } = useMemo(() => {
    const mine = [...pods.items.values()]
      .map((i) => i.object)
      .filter((p) => p.metadata.ownerReferences?.some((o) => o.uid === job.metadata.uid))
    const tried = attemptsOf(mine, shownNow.value)
    return { cells: cellsOf(job, mine), attempts: tried, newest: mine.find((p) => p.metadata.name === tried.at(-1)?.name) }
  }, [pods.changed, pods.items, job])
  return (
    <div class="job">
      <How job={job} resource={resource} />
      <Trouble of={pods} />
      {cells.length > 1 && (
        <section>
          <h2>{job.spec.completionMode === 'Indexed' ? t('job.indexesTitle') : t('job.completions')}</h2>
          <Grid cells={cells} namespace={namespace} indexed={job.spec.completionMode === 'Indexed'} />
        </section>
      )}
      <section>
        <h2>{t('job.attempts')}</h2>
        <Again job={job} />
        <Timeline bars={attempts} now={shownNow.value} label={t('job.attempts')} resource="pods" namespace={namespace} tab="log" />
      </section>
      {podResource && newest && (
        <section>
          <h2>
            {t('tab.log')} <a href={objectHref('pods', namespace, newest.metadata.name, 'log')}>{newest.metadata.name}</a>
          </h2>
          <Logs resource={podResource} object={newest} />
        </section>
      )}
    </div>
  )
}

/** How describes the Job's state and its limits. */
function How({ job, resource }: { job: Job; resource: Resource }) {
  const words = wordsOf(job)
  const { spec, status = {} } = job
  const started = Date.parse(status.startTime ?? '')
  const over = conditionOf(status.conditions, 'Complete') ?? conditionOf(status.conditions, 'Failed')
  const left = (from: number, seconds: number): string => formatAge(from + 1000 * seconds - shownNow.value)
  const facts: [string, string | number][] = [
    [t('job.parallelism'), spec.parallelism ?? 1],
    [
      t('job.tries'),
      spec.backoffLimitPerIndex === undefined
        ? `${status.failed ?? 0} / ${spec.backoffLimit ?? 6}`
        : t('job.perIndex', { n: spec.backoffLimitPerIndex }),
    ],
    ...(spec.activeDeadlineSeconds !== undefined && !over && !Number.isNaN(started)
      ? [[t('job.deadline'), left(started, spec.activeDeadlineSeconds)] as [string, string]]
      : []),
    ...(spec.ttlSecondsAfterFinished !== undefined && over
      ? [[t('job.ttl'), left(Date.parse(over.lastTransitionTime ?? ''), spec.ttlSecondsAfterFinished)] as [string, string]]
      : []),
  ]
  return (
    <div class="how">
      <p class="how-words">
        <StateMark state={words.state} quiet /> <strong>{t(words.key, words.values)}</strong>{' '}
        {words.raw !== '' && <span class="raw">{words.raw}</span>}
      </p>
      <dl class="how-facts">
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {!over && <Suspend resource={resource} object={job} suspended={spec.suspend === true} />}
    </div>
  )
}

/** Suspend suspends or resumes a Job or CronJob. */
export function Suspend({ resource, object, suspended }: TabProps & { suspended: boolean }) {
  const run = async () => {
    await setSuspended(resource, object, !suspended)
    return null
  }
  return (
    <DoButton
      label={suspended ? t('job.resume') : t('job.suspend')}
      needs={[accessTo('patch', resource, object.metadata.namespace)]}
      run={run}
    />
  )
}

/**
 * Again says when the Job is next synced; after a failure, that is when the next attempt starts.
 */
function Again({ job }: { job: Job }) {
  const due = reading.value?.clock.due.find(
    (w) => w.controller === 'job' && w.namespace === job.metadata.namespace && w.name === job.metadata.name,
  )
  if (at.value !== null || !due || (job.status?.active ?? 0) > 0 || (job.status?.failed ?? 0) === 0) return null
  return <p>{t('job.again', { when: formatAge(Date.parse(due.at) - shownNow.value) })}</p>
}
