import { useMemo, useState } from 'preact/hooks'
import { resources } from '../../api/resource'
import { useObjects } from '../../api/use'
import { type Deployment, formatSelector, type ReplicaSet } from '../../api/workload'
import { shownNow } from '../../clock/clock'
import { t } from '../../i18n'
import { at } from '../../route'
import { formatAge } from '../../ui/age'
import { type State, StateMark } from '../../ui/state'
import { Trouble } from '../../ui/trouble'
import { Unread } from '../../ui/unread'
import { failingOf, isFailing } from '../../verdict/row'
import type { TabProps } from '../object/tabprops'
import { Actions } from './actions'
import { boundsOf } from './bounds'
import { Cause } from './causeview'
import { Chart, Swatch } from './chart'
import { Conditions } from './conditions'
import { type Episode, episodesOf, type Frame, framesIn, framesOf, judge, latestOf, rolloutForm, setState, thin } from './history'
import type { Axis } from './picture'
import { Revisions } from './revisions'
import { type PodRows, usePast, usePodRows } from './use'
import { deadlineOf, progressOf } from './words'
import './rollout.css'

/** mostFrames is how many frames of a history are drawn at once. */
const mostFrames = 1200

/**
 * Rollout shows how a Deployment replaces its Pods, as a picture over time and in words, with its
 * actions.
 */
export function Rollout({ resource, object }: TabProps) {
  const deployment = object as Deployment
  const sets = useReplicaSets(deployment)
  const history = useHistory(deployment, sets.all)
  const pods = usePodRows(deployment)
  return (
    <div class="rollout">
      <Progress of={deployment} pods={pods} />
      <Cause resource={resource} deployment={deployment} sets={sets.all} pods={pods} />
      <Trouble of={sets} />
      <Unread error={history.error} />
      {history.loading ? <p class="notice">{t('load.loading')}</p> : <History frames={history.frames} deployment={deployment} />}
      <Actions resource={resource} deployment={deployment} />
      <Revisions resource={resource} deployment={deployment} sets={sets.all} />
      <Conditions all={deployment.status?.conditions ?? []} />
    </div>
  )
}

/** useReplicaSets reads the ReplicaSets that a Deployment manages. */
function useReplicaSets(d: Deployment) {
  const resource = resources.value.get('replicasets.apps')
  const found = useObjects<ReplicaSet>(
    resource ? { resource, namespace: d.metadata.namespace, labels: formatSelector(d.spec.selector) } : null,
  )
  const all = useMemo(
    () =>
      [...found.items.values()]
        .map((w) => w.object)
        .filter((rs) => rs.metadata.ownerReferences?.some((o) => o.controller && o.uid === d.metadata.uid)),
    [found.items, found.changed, d.metadata.uid],
  )
  return { ...found, all }
}

/**
 * useHistory reads the history of a Deployment and its ReplicaSets, up to the moment that is shown.
 */
function useHistory(d: Deployment, sets: readonly ReplicaSet[]) {
  const uid = d.metadata.uid
  const past = usePast(rolloutForm, (o) => (o.metadata.uid === uid ? 'deployments.apps' : 'replicasets.apps'), [d, ...sets], at.value)
  const frames = useMemo(() => {
    // Objects without entries in the log have not changed since its start.
    const told = new Set(past.samples.map((s) => s.uid))
    const silent = sets.filter((rs) => past.read.has(rs.metadata.uid) && !told.has(rs.metadata.uid))
    const first = past.samples.find((s) => s.bounds)
    return framesOf(past.samples, { sets: silent.map(setState), bounds: first?.bounds ?? boundsOf(d.spec) })
  }, [past.samples])
  return { frames, loading: past.loading, error: past.error }
}

function Progress({ of: d, pods }: { of: Deployment; pods: PodRows }) {
  const now = shownNow.value
  const failing = pods.places !== null && isFailing(failingOf(pods.rows.values(), pods.places, now), 'deployments.apps', d.metadata)
  const progress = progressOf(d, now, failing)
  const deadline = deadlineOf(d)
  return (
    <p class={`rollout-progress ${progress.state}`} role="status">
      <StateMark state={progress.state} quiet /> {t(progress.key, progress.values)}
      {deadline !== null && (progress.state === 'busy' || progress.state === 'warn') && (
        <span class="deadline">{t('rollout.deadline', { left: formatAge(Math.max(0, deadline - shownNow.value)) })}</span>
      )}
    </p>
  )
}

/** History draws one rollout, or everything in the log, and says whether the bounds held. */
function History({ frames, deployment }: { frames: readonly Frame[]; deployment: Deployment }) {
  const [asked, setAxis] = useState<Axis | null>(null)
  const [chosen, choose] = useState('latest')
  const episodes = episodesOf(frames)
  const latest = latestOf(frames, episodes)
  const since = latest !== episodes.at(-1)
  const episode = chosen === 'all' ? undefined : chosen === 'latest' ? latest : episodes.find((e) => String(e.revision) === chosen)
  const shown = episode ? framesIn(frames, episode) : frames
  const drawn = thin(
    shown,
    mostFrames,
    (f) => f.total,
    (f) => f.available,
  )
  const judged = judge(shown)
  // Changes made while the clock was paused are a single point in time, so they are shown one by
  // one.
  const axis = asked ?? ((drawn.at(-1)?.at ?? 0) - (drawn[0]?.at ?? 0) < 1 && drawn.length > 1 ? 'change' : 'time')
  const bounds = boundsOf(deployment.spec)
  return (
    <section aria-label={t('rollout.pictureOf')}>
      <div class="rollout-choices">
        <label>
          {t('rollout.episode')}{' '}
          <select
            value={chosen === 'latest' && !since ? String(episode?.revision ?? 'all') : chosen}
            onChange={(e) => choose(e.currentTarget.value)}
          >
            {since && <option value="latest">{t('rollout.latest')}</option>}
            {episodes.toReversed().map((e) => (
              <option key={e.revision} value={e.revision}>
                {t('rollout.toRevision', { revision: e.revision })}
              </option>
            ))}
            <option value="all">{t('rollout.whole')}</option>
          </select>
        </label>
        <fieldset>
          <legend>{t('rollout.axis')}</legend>
          {(['time', 'change'] as const).map((one) => (
            <label key={one}>
              <input type="radio" name="axis" checked={axis === one} onChange={() => setAxis(one)} />
              {t(one === 'time' ? 'rollout.byTime' : 'rollout.byChange')}
            </label>
          ))}
        </fieldset>
      </div>
      <Chart frames={drawn} axis={axis} until={untilOf(drawn, episode)} />
      <ul class="rollout-verdict">
        <Verdict ok={!judged.exceeded}>
          {t(judged.exceeded ? 'rollout.brokeMost' : 'rollout.heldMost', { highest: judged.highest, most: judged.most })}
        </Verdict>
        {judged.lowest === null ? (
          <Verdict ok={null}>{t('rollout.noLeast', { least: judged.least })}</Verdict>
        ) : (
          <Verdict ok={!judged.undercut} broken="warn">
            {t(judged.undercut ? 'rollout.brokeLeast' : 'rollout.heldLeast', { lowest: judged.lowest, least: judged.least })}
          </Verdict>
        )}
      </ul>
      <Legend frames={drawn} most={bounds.most} least={bounds.least} />
    </section>
  )
}

/**
 * untilOf returns the end of the picture: shortly after the end of a rollout, or the moment that is
 * shown.
 */
function untilOf(frames: readonly Frame[], e: Episode | undefined): number {
  const last = frames.at(-1)?.at ?? 0
  const first = frames[0]?.at ?? 0
  const now = Math.max(last, shownNow.value)
  return e?.ended ? Math.min(now, last + Math.max(50, (last - first) * 0.12)) : now
}

/**
 * Verdict says whether a bound held. Too few Pods may be available for reasons other than the
 * rollout, which is a warning rather than a failure.
 */
function Verdict({ ok, broken = 'bad', children }: { ok: boolean | null; broken?: State; children: string }) {
  return (
    <li>
      <StateMark state={ok === null ? 'wait' : ok ? 'done' : broken} quiet /> {children}
    </li>
  )
}

function Legend({ frames, most, least }: { frames: readonly Frame[]; most: number; least: number }) {
  const revisions = [...new Set(frames.flatMap((f) => f.sets.map((s) => s.revision)))].sort((a, b) => b - a)
  return (
    <ul class="rollout-legend">
      {revisions.slice(0, 12).map((r) => (
        <li key={r}>
          <Swatch revision={r} /> {t('rollout.revision', { revision: r })}
        </li>
      ))}
      <li>
        <svg class="swatch" viewBox="0 0 12 12" width="12" height="12" aria-hidden="true">
          <rect class="pending" width="12" height="12" rx="3" />
        </svg>{' '}
        {t('rollout.pending')}
      </li>
      <li class="most">{t('rollout.most', { n: most })}</li>
      <li class="least">{t('rollout.least', { n: least })}</li>
    </ul>
  )
}
