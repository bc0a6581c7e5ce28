import { useState } from 'preact/hooks'
import { resources } from '../../api/resource'
import { useObject } from '../../api/use'
import { reading } from '../../clock/clock'
import { formatNumber, t } from '../../i18n'
import { objectHref, tableHref } from '../../route'
import { Age } from '../../ui/age'
import { StateMark } from '../../ui/state'
import type { Pod } from './objects'
import { type Detail, detailOf } from './pods'
import type { About, Problem } from './problem'

/** How many problems are shown at first, and at most; and of how many Pods more is read than their rows. */
const bounds = { first: 15, most: 200, details: 12 }

/** longest is how much of a message is shown. */
const longest = 500

/** Problems lists what is wrong, the newest first. */
export function Problems({ all, complete }: { all: readonly Problem[]; complete: boolean }) {
  const [more, setMore] = useState(false)
  const shown = all.slice(0, more ? bounds.most : bounds.first)
  const detailed = new Set(
    shown
      .filter((p) => p.about.resource === 'pods')
      .slice(0, bounds.details)
      .map((p) => p.id),
  )
  const stalled = reading.value?.clock.stalled ?? []
  const total = all.length + stalled.length
  return (
    <section class="panel problems" aria-labelledby="problems">
      <h2 id="problems">
        {t('overview.problems')} {total > 0 && <span class="badge">{formatNumber(total)}</span>}
      </h2>
      {total === 0 && (
        <p class="well">
          <StateMark state={complete ? 'ok' : 'busy'} quiet /> {t(complete ? 'overview.well' : 'load.loading')}
        </p>
      )}
      {stalled.length > 0 && (
        <ul>
          {stalled.map((s) => (
            <li key={s.controller}>
              <StateMark state="bad" />
              <p>{t('overview.stalled', { controller: s.controller, seconds: s.seconds })}</p>
            </li>
          ))}
        </ul>
      )}
      <ul>{shown.map((p) => (detailed.has(p.id) ? <PodProblem key={p.id} of={p} /> : <Line key={p.id} of={p} />))}</ul>
      {all.length > shown.length && !more && (
        <button type="button" onClick={() => setMore(true)}>
          {t('overview.more', { n: all.length - shown.length })}
        </button>
      )}
    </section>
  )
}

/** PodProblem is a problem of Pods, with what one of them tells of it. */
function PodProblem({ of: p }: { of: Problem }) {
  const pod = useObject<Pod>(resources.value.get('pods'), p.about.namespace ?? '', p.about.name)
  return <Line of={p} {...(pod.object ? { detail: detailOf(pod.object, p.why) } : {})} />
}

function Line({ of: p, detail }: { of: Problem; detail?: Detail }) {
  const message = p.message || detail?.message || ''
  const since = p.count === 1 ? (detail?.since ?? p.since) : p.since
  const many = p.count > 1 && p.owner !== undefined
  return (
    <li>
      <StateMark state={p.state} />
      <div>
        <p class="what">
          <ObjectLink of={many && p.owner ? p.owner : p.about} />
          {many && <Members of={p} />}
          {!many && p.owner && <ObjectLink of={p.owner} faint />}
        </p>
        <p>
          {t(`why.${detail?.why ?? p.why}`, p.values)}
          {detail?.exitCode != null && ` ${t('overview.exitCode', { code: detail.exitCode })}`}{' '}
          <code>{(detail?.reason ?? p.reason).slice(0, 100)}</code>
        </p>
        {message !== '' && <p class="message">{message.length > longest ? `${message.slice(0, longest)}…` : message}</p>}
      </div>
      <Age since={since === null ? undefined : new Date(since).toISOString()} />
    </li>
  )
}

function ObjectLink({ of, faint = false }: { of: About; faint?: boolean }) {
  return (
    <a class={faint ? 'faint' : ''} href={objectHref(of.resource, of.namespace, of.name)}>
      <small>{of.kind}</small> {!faint && of.namespace ? `${of.namespace}/` : ''}
      {of.name}
    </a>
  )
}

/** Members leads to all the objects that have the problem. */
function Members({ of: p }: { of: Problem }) {
  const n = t(p.about.resource === 'pods' ? 'overview.pods' : 'overview.jobs', { n: p.count })
  if (!p.labels) return <span class="badge">{n}</span>
  return (
    <a class="badge" href={tableHref(p.about.resource, { ns: p.about.namespace ?? '', l: p.labels })}>
      {n}
    </a>
  )
}
