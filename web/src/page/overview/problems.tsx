import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { Fault } from '../../act/faultrequest'
import { Lift } from '../../act/faults'
import { sentenceOf } from '../../act/faultwords'
import type { Pod } from '../../api/pod'
import { resources } from '../../api/resource'
import { useObject } from '../../api/use'
import { reading } from '../../clock/clock'
import { formatNumber, t } from '../../i18n'
import { at, href, objectHref, tableHref } from '../../route'
import { Age } from '../../ui/age'
import { type Loader, Slot } from '../../ui/slot'
import { StateMark } from '../../ui/state'
import { plainMessage } from '../object/occurrences'
import type { RollBackProps } from '../rollout/back'
import { usePast } from '../rollout/use'
import { beganIn, troubleForm } from './began'
import { causeText } from './causewords'
import { type Detail, detailOf } from './detail'
import { isRollout } from './fold'
import { noteImages } from './images'
import { isCrash } from './pods'
import type { About, Problem } from './problem'

/**
 * bounds limit how many problems are shown at first and at most, and of how many Pods more than the
 * row is read.
 */
const bounds = { first: 15, most: 200, details: 12 }

/**
 * knownSince maps IDs of problems to the exact start that their Pods show; their rows show it only
 * roughly.
 */
export const knownSince = new Map<string, number>()

/** longest is how much of a message is shown. */
const longest = 500

/**
 * ProblemsProps: `complete` says that everything has been checked, `refused` that something could
 * not be read, as the page says above; `lifted` is called when an injected fault has been lifted.
 */
interface ProblemsProps {
  readonly all: readonly Problem[]
  readonly complete: boolean
  readonly refused: boolean
  readonly lifted: () => void
}

/** Problems lists the problems, newest first. */
export function Problems({ all, complete, refused, lifted }: ProblemsProps) {
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
      {total === 0 && !refused && (
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
      <ul>{shown.map((p) => (detailed.has(p.id) ? <PodProblem key={p.id} of={p} /> : <Line key={p.id} of={p} lifted={lifted} />))}</ul>
      {all.length > shown.length && !more && (
        <button type="button" onClick={() => setMore(true)}>
          {t('overview.more', { n: all.length - shown.length })}
        </button>
      )}
    </section>
  )
}

/** PodProblem shows a problem of Pods, with details from one of them and its log. */
function PodProblem({ of: p }: { of: Problem }) {
  const { object } = useObject<Pod>(resources.value.get('pods'), p.about.namespace ?? '', p.about.name)
  const began = useBegan(isCrash(p.why) ? object : undefined)
  const detail = object && { ...detailOf(object, p.why) }
  const since = began ?? detail?.since ?? null
  useEffect(() => {
    if (since !== null) knownSince.set(p.id, since)
    return () => void knownSince.delete(p.id)
  }, [p.id, since])
  useEffect(() => {
    if (object) noteImages(p.id, object)
  }, [p.id, object])
  return <Line of={p} {...(detail ? { detail: { ...detail, since } } : {})} />
}

/**
 * useBegan reads once from the log when a Pod's problem began, in milliseconds; null until then.
 */
function useBegan(pod: Pod | undefined): number | null {
  const first = useRef<Pod | undefined>(undefined)
  if (pod?.metadata.uid !== first.current?.metadata.uid) first.current = pod
  const { samples } = usePast(troubleForm, () => 'pods', first.current ? [first.current] : [], at.value)
  return useMemo(() => beganIn(samples), [samples])
}

function Line({ of: p, detail, lifted }: { of: Problem; detail?: Detail; lifted?: () => void }) {
  const message = plainMessage(p.message || detail?.message || '')
  const since = detail?.since ?? p.since
  const many = p.count > 1 && p.owner !== undefined
  return (
    <li>
      <StateMark state={p.state} />
      <div>
        <p class="what">
          <ObjectLink of={p.owner ?? p.about} />
          {many && <Members of={p} />}
          {!many && p.owner && <ObjectLink of={p.about} faint />}
        </p>
        <p>
          {p.fault ? t('why.fault', { what: sentenceOf(p.fault) }) : causeText(p, detail)} <Reason of={detail?.reason ?? p.reason} />
        </p>
        {message !== '' && <p class="message">{message.length > longest ? `${message.slice(0, longest)}…` : message}</p>}
        {p.effects?.map((e) => (
          <p key={e.id} class="effect">
            {!isSame(e.owner ?? e.about, p.owner ?? p.about) && <ObjectLink of={e.owner ?? e.about} />} {causeText(e, undefined)}{' '}
            <Reason of={e.reason} />
          </p>
        ))}
        {p.fault && lifted ? <FaultWays of={p.fault} lifted={lifted} /> : <Ways of={p} />}
      </div>
      <Age since={since === null ? undefined : new Date(since).toISOString()} />
    </li>
  )
}

const isSame = (a: About, b: About): boolean => a.resource === b.resource && a.namespace === b.namespace && a.name === b.name

/** Reason is the cluster's one-word reason for a problem. */
const Reason = ({ of }: { of: string }) => (of === '' ? null : <code>{of.slice(0, 100)}</code>)

/** FaultWays are the remedies for an injected fault. */
function FaultWays({ of, lifted }: { of: Fault; lifted: () => void }) {
  return (
    <p class="ways">
      <Lift fault={of} again={lifted} />
    </p>
  )
}

/** Ways are the remedies for a problem: rolling back, and the log of a container that has ended. */
function Ways({ of: p }: { of: Problem }) {
  const back = p.previous && p.owner && isRollout(p) ? { to: p.previous, of: p.owner } : undefined
  const log = isCrash(p.why) && p.about.resource === 'pods'
  if (!back && !log) return null
  return (
    <p class="ways">
      {back && <Slot of={rollBack} namespace={back.of.namespace ?? ''} name={back.of.name} to={back.to} />}
      {log && <a href={objectHref('pods', p.about.namespace, p.about.name, 'log')}>{t('tab.log')}</a>}
    </p>
  )
}

const rollBack: Loader<RollBackProps> = () => import('../rollout/back').then((m) => m.RollBack)

/** hrefOf returns the address of an object's page. A fault has none. */
const hrefOf = (of: About): string =>
  of.resource === 'faults' ? href({ page: 'other', name: 'faults', query: {} }) : objectHref(of.resource, of.namespace, of.name)

function ObjectLink({ of, faint = false }: { of: About; faint?: boolean }) {
  return (
    <a class={faint ? 'faint' : ''} href={hrefOf(of)}>
      <small>{of.kind}</small> {!faint && of.namespace ? `${of.namespace}/` : ''}
      {of.name}
    </a>
  )
}

/** Members links to all objects with the problem. */
function Members({ of: p }: { of: Problem }) {
  const n = t(p.about.resource === 'pods' ? 'overview.pods' : 'overview.jobs', { n: p.count })
  if (!p.labels) return <span class="badge">{n}</span>
  return (
    <a class="badge" href={tableHref(p.about.resource, { ns: p.about.namespace ?? '', l: p.labels })}>
      {n}
    </a>
  )
}
