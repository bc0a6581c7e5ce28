import { useEffect, useMemo, useState } from 'preact/hooks'
import { DoButton } from '../../act/dobutton'
import { runNow } from '../../act/job'
import { accessTo } from '../../act/may'
import { readJSON } from '../../api/read'
import { type Resource, resources } from '../../api/resource'
import { useObjects } from '../../api/use'
import { shownNow } from '../../clock/clock'
import { formatTime, t, zoneName } from '../../i18n'
import { at, objectHref } from '../../route'
import { Age, formatAge } from '../../ui/age'
import { StateMark } from '../../ui/state'
import { Trouble } from '../../ui/trouble'
import { unreadOf } from '../../ui/unread'
import { cronJobVerdict } from '../../verdict/job'
import type { TabProps } from '../object/tabprops'
import { runOf } from './attempts'
import { isOf, useGone } from './gone'
import { Suspend } from './job'
import type { CronJob, Job } from './kinds'
import { Timeline } from './timeline'
import '../../style/job.css'

/** CronJobView shows a CronJob: its next runs, and its past runs on a timeline. */
export function CronJobView({ resource, object }: TabProps) {
  const cronJob = object as CronJob
  const { namespace = '', uid } = cronJob.metadata
  const jobs = resources.value.get('jobs.batch')
  const read = useObjects<Job>(jobs ? { resource: jobs, namespace } : null)
  const gone = useGone(cronJob)
  const runs = useMemo(() => {
    const kept = [...read.items.values()].map((i) => i.object).filter((j) => isOf(j, uid))
    const there = new Set(kept.map((j) => j.metadata.uid))
    return [...gone.filter((j) => !there.has(j.metadata.uid)), ...kept].map(runOf).sort((a, b) => a.from - b.from)
  }, [read.changed, read.items, uid, gone.length])
  const next = useNext(cronJob)
  return (
    <div class="job">
      <How cronJob={cronJob} resource={resource} jobs={jobs} />
      <Trouble of={read} />
      <section>
        <h2>{t('cronjob.runs')}</h2>
        {zoneName() !== (cronJob.spec.timeZone ?? 'UTC') && <p class="reason">{t('time.zone', { zone: zoneName() })}</p>}
        {runs.length + next.times.length === 0 ? (
          <p class="notice">{t('cronjob.none')}</p>
        ) : (
          <Timeline
            bars={runs}
            now={shownNow.value}
            next={next.times.slice(0, Math.max(3, Math.min(next.times.length, runs.length)))}
            label={t('cronjob.runs')}
            resource="jobs.batch"
            namespace={namespace}
            tab=""
          />
        )}
      </section>
      <section>
        <h2>{t('cronjob.next')}</h2>
        {next.error !== '' && <p class="notice bad">{next.error}</p>}
        <ol class="next">
          {next.times.map((time) => (
            <li key={time}>
              <time dateTime={new Date(time).toISOString()}>{formatTime(new Date(time))}</time>{' '}
              <span class="in">{t('cronjob.in', { age: formatAge(time - shownNow.value) })}</span>
            </li>
          ))}
        </ol>
      </section>
    </div>
  )
}

function How({ cronJob, resource, jobs }: { cronJob: CronJob; resource: Resource; jobs: Resource | undefined }) {
  const { spec, status = {} } = cronJob
  const facts: [string, preact.ComponentChildren][] = [
    [t('cronjob.schedule'), <code key="s">{spec.schedule}</code>],
    [t('cronjob.zone'), spec.timeZone ?? 'UTC'],
    [t('cronjob.concurrency'), spec.concurrencyPolicy ?? 'Allow'],
    [t('cronjob.last'), status.lastScheduleTime ? <Age key="l" since={status.lastScheduleTime} /> : '–'],
    [t('cronjob.success'), status.lastSuccessfulTime ? <Age key="o" since={status.lastSuccessfulTime} /> : '–'],
  ]
  return (
    <div class="how">
      <p class="how-words">
        <StateMark state={cronJobVerdict(cronJob).state} quiet /> <strong>{cronJobText(cronJob)}</strong>
      </p>
      <dl class="how-facts">
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {jobs && <RunNow jobs={jobs} cronJob={cronJob} />}
      <Suspend resource={resource} object={cronJob} suspended={spec.suspend === true} />
    </div>
  )
}

function cronJobText({ spec, status }: CronJob): string {
  if (spec.suspend) return t('cronjob.suspended')
  const n = status?.active?.length ?? 0
  return n === 0 ? t('cronjob.idle') : t('cronjob.active', { n })
}

function RunNow({ jobs, cronJob }: { jobs: Resource; cronJob: CronJob }) {
  const run = async () => {
    const { namespace, name } = (await runNow(jobs, cronJob)).metadata
    return <a href={objectHref('jobs.batch', namespace, name)}>{name}</a>
  }
  return <DoButton label={t('cronjob.runNow')} primary needs={[accessTo('create', jobs, cronJob.metadata.namespace)]} run={run} />
}

/** shownRuns is how many of the next runs are shown. */
const shownRuns = 8

/**
 * useNext asks the server for the next runs of a CronJob, again when the first of them has passed.
 */
function useNext(c: CronJob): { times: number[]; error: string } {
  const [next, setNext] = useState<{ times: number[]; error: string }>({ times: [], error: '' })
  const now = shownNow.value
  const asked = `${c.metadata.uid} ${c.spec.schedule} ${c.spec.timeZone ?? ''} ${c.spec.suspend ?? false} ${c.status?.lastScheduleTime ?? ''} ${at.value ?? ''}`
  const passed = next.times.filter((time) => time <= now).length
  const since = c.status?.lastScheduleTime ?? c.metadata.creationTimestamp
  useEffect(() => {
    if (c.spec.suspend) {
      setNext({ times: [], error: '' })
      return
    }
    const stop = new AbortController()
    const query = { schedule: c.spec.schedule, timeZone: c.spec.timeZone, since, after: new Date(now).toISOString(), count: shownRuns }
    readJSON<{ times: string[] }>('/rowlock/v1/schedule', { query, signal: stop.signal }).then(
      (answer) => setNext({ times: answer.times.map((time) => Date.parse(time)), error: '' }),
      (e: unknown) => stop.signal.aborted || setNext({ times: [], error: unreadOf(e) }),
    )
    return () => stop.abort()
  }, [asked, passed])
  return next
}
