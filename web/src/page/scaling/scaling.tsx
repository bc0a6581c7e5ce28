import { useMemo } from 'preact/hooks'
import type { Autoscaler } from '../../api/autoscaler'
import { resourceOfKind, resources } from '../../api/resource'
import { useTable } from '../../api/use'
import { shownNow } from '../../clock/clock'
import { formatTime, t } from '../../i18n'
import { at, href, objectHref, route } from '../../route'
import { StateMark } from '../../ui/state'
import { Unread } from '../../ui/unread'
import type { TabProps } from '../object/tabprops'
import { happeningsOf } from '../overview/events'
import { Conditions } from '../rollout/conditions'
import { thin } from '../rollout/history'
import { usePast } from '../rollout/use'
import { type Fact, Head } from '../set/head'
import { Chart, lineHue } from './chart'
import { type Decision, decisionsOf, type Frame, frameOf, highest, type Level, levelsOf, reasonOf, scalingForm, told } from './history'
import { ruleText, wordsOf } from './words'
import './scaling.css'

/** mostFrames is how much of a history is drawn at once, and mostDecisions how many are listed. */
const [mostFrames, mostDecisions] = [1200, 20]

/**
 * Scaling shows an autoscaler: its state, its metrics, and its decisions over time beside the
 * replicas.
 */
export function Scaling({ resource, object }: TabProps) {
  const h = object as Autoscaler
  const past = usePast(scalingForm, () => resource.id, [h], at.value)
  const frames = useMemo(() => {
    const all = told(past.samples)
    // Objects without entries in the log have not changed since its start.
    return all.length > 0 ? all : [frameOf(h, Number(h.metadata.resourceVersion), Date.parse(h.metadata.creationTimestamp))]
  }, [past.samples, h])
  const drawn = thin(
    frames,
    mostFrames,
    (f) => f.current,
    (f) => f.desired,
    highest,
  )
  const words = wordsOf(h)
  return (
    <div class="set scaling">
      <Head words={words} raw={words.raw} facts={factsOf(h)} />
      <Unread error={past.error} />
      {past.loading ? (
        <p class="notice">{t('load.loading')}</p>
      ) : (
        <Chart frames={drawn} until={Math.max(frames.at(-1)?.at ?? 0, shownNow.value)} />
      )}
      <Levels all={levelsOf(h)} />
      <Decisions of={h} frames={frames} />
      <Conditions all={h.status?.conditions ?? []} />
    </div>
  )
}

/** factsOf lists the target, the bounds and the rules of an autoscaler. */
function factsOf(h: Autoscaler): Fact[] {
  const target = h.spec?.scaleTargetRef
  if (!h.spec || !target) return []
  const kind = resourceOfKind(target.apiVersion ?? 'v1', target.kind)
  const name = `${target.kind} ${target.name}`
  const [up, down] = [ruleText(h.spec.behavior?.scaleUp), ruleText(h.spec.behavior?.scaleDown)]
  return [
    kind ? [t('hpa.target'), name, objectHref(kind.id, h.metadata.namespace, target.name)] : [t('hpa.target'), name],
    [t('hpa.bounds'), `${h.spec.minReplicas ?? 1}–${h.spec.maxReplicas}`],
    ...(up ? [['scaleUp', up] satisfies Fact] : []),
    ...(down ? [['scaleDown', down] satisfies Fact] : []),
  ]
}

/** longestBar is the ratio to the target at which a bar is full. */
const longestBar = 2

function Levels({ all }: { all: readonly Level[] }) {
  if (all.length === 0) return null
  return (
    <section>
      <h2>{t('hpa.metrics')}</h2>
      <div class="scroll">
        <table class="levels">
          <thead>
            <tr>
              <th scope="col">{t('hpa.metric')}</th>
              <th scope="col">{t('hpa.current')}</th>
              <th scope="col">{t('hpa.wanted')}</th>
              <td />
            </tr>
          </thead>
          <tbody>
            {all.map((l, i) => (
              <tr key={l.name}>
                <th scope="row">
                  <svg class="swatch" viewBox="0 0 12 12" width="12" height="12" aria-hidden="true">
                    <rect class={lineHue(i)} width="12" height="12" rx="3" />
                  </svg>
                  {l.name}
                </th>
                <td>{l.current === '' ? <span class="faint">{t('hpa.unknown')}</span> : l.current}</td>
                <td>{l.target}</td>
                <td class="meter">
                  <svg viewBox="0 0 100 8" preserveAspectRatio="none" width="100%" height="8" aria-hidden="true">
                    <rect class="rest" width="100" height="8" />
                    {l.share !== null && <rect class={lineHue(i)} width={(100 * Math.min(longestBar, l.share)) / longestBar} height="8" />}
                    <rect class="target" x={100 / longestBar - 0.3} width="0.6" height="8" />
                  </svg>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  )
}

/** Decisions lists when it changed the desired replicas, and why according to its Events. */
function Decisions({ of: h, frames }: { of: Autoscaler; frames: readonly Frame[] }) {
  const events = resources.value.get('events')
  const { namespace, name } = h.metadata
  const read = useTable(
    events ? { resource: events, namespace, fields: `involvedObject.kind=HorizontalPodAutoscaler,involvedObject.name=${name}` } : null,
  )
  const told = useMemo(() => happeningsOf(read.items.values(), read.columns, 500), [read.items, read.changed, read.columns])
  const all = decisionsOf(frames)
  return (
    <section>
      <h2>{t('hpa.decisions')}</h2>
      {all.length === 0 && <p class="about">{t('hpa.undecided')}</p>}
      <ul class="decisions">
        {all.slice(0, mostDecisions).map((d) => (
          <li key={d.revision}>
            <StateMark state={d.to > d.from ? 'busy' : 'idle'} quiet />
            <strong>{t(d.to > d.from ? 'hpa.up' : 'hpa.down', { from: d.from, to: d.to })}</strong>
            <span class="why">{why(d, reasonOf(d, told))}</span>
            <a href={href({ ...route.value, query: { ...route.value.query, at: String(d.revision) } })}>{formatTime(new Date(d.at))}</a>
          </li>
        ))}
      </ul>
      {all.length > mostDecisions && <p>{t('tree.more', { n: all.length - mostDecisions })}</p>}
    </section>
  )
}

/** why says what led to a decision: the metrics at the time, and the Event's reason. */
function why(d: Decision, reason: string): string {
  const levels = d.levels.filter((l) => l.current !== '').map((l) => `${l.name} ${l.current} / ${l.target}`)
  return [levels.join(', '), reason].filter((s) => s !== '').join(' · ')
}
