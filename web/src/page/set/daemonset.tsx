import { useMemo } from 'preact/hooks'
import { resources } from '../../api/resource'
import { type DaemonSet, historyLabel, numbersOf } from '../../api/sets'
import { useObjects } from '../../api/use'
import { shownNow } from '../../clock/clock'
import { t } from '../../i18n'
import { objectHref } from '../../route'
import { standing } from '../../time/now'
import { StateMark } from '../../ui/state'
import { Trouble } from '../../ui/trouble'
import type { TabProps } from '../object/tabprops'
import type { Node } from '../overview/objects'
import { Swatch } from '../rollout/chart'
import { failing, type Mark } from '../tree/mark'
import { Pods } from '../tree/pods'
import { type Fact, Head } from './head'
import { History } from './history'
import { type Spot, spotsOf, wordsOf } from './nodes'
import { useOwned, useRevisions } from './use'
import './set.css'
import '../tree/tree.css'

/**
 * most is how many nodes are drawn with names; further ones are marks only, after those with
 * problems.
 */
const most = 120

/**
 * OverNodes shows a DaemonSet by node: where its Pods are and their states, and which nodes have
 * none.
 */
export function OverNodes({ resource, object }: TabProps) {
  const set = object as DaemonSet
  const nodeResource = resources.value.get('nodes')
  const nodes = useObjects<Node>(nodeResource ? { resource: nodeResource } : null)
  const pods = useOwned(set)
  const revisions = useRevisions(set)
  const layout = useMemo(
    () =>
      spotsOf(
        [...nodes.items.values()].map((n) => n.object),
        pods.marks,
      ),
    [nodes.items, nodes.changed, pods.marks],
  )
  const numbers = useMemo(() => numbersOf(revisions.all), [revisions.all])
  const many = layout.has.length > most
  const { desiredNumberScheduled: wanted = 0, currentNumberScheduled: there = 0 } = set.status ?? {}
  // No field says which nodes lack it. If exactly as many have none, it is all of these.
  const missing = wanted > there && wanted - there === layout.lacks.length
  const named = many ? layout.has.filter((s) => s.state !== 'ok').slice(0, most) : layout.has
  return (
    <div class="set">
      <Head words={wordsOf(set, failing(pods.marks), standing(set.metadata.resourceVersion, shownNow.value))} facts={factsOf(set)} />
      <Trouble of={nodes.error ? nodes : pods} />
      <section aria-labelledby="with-pod">
        <h2 id="with-pod">{t('ds.with', { n: layout.has.length })}</h2>
        <ul class="spots">
          {named.map((s) => (
            <SpotView key={s.node} of={s} numbers={numbers} newest={revisions.all[0]?.revision ?? 0} />
          ))}
        </ul>
        {many && (
          <div class="tree">
            <Pods marks={layout.has.flatMap((s) => s.pods)} fates={none} label={t('tree.podsOf', { name: set.metadata.name })} />
          </div>
        )}
      </section>
      {layout.unbound.length > 0 && (
        <section aria-labelledby="unbound">
          <h2 id="unbound">{t('ds.unbound', { n: layout.unbound.length })}</h2>
          <ul class="spots">
            {layout.unbound.slice(0, most).map((p) => (
              <li key={p.uid} class="spot">
                <PodLine of={p} revision={0} />
              </li>
            ))}
          </ul>
        </section>
      )}
      {layout.lacks.length > 0 && (
        <section aria-labelledby="without-pod">
          <h2 id="without-pod">{t('ds.without', { n: layout.lacks.length })}</h2>
          <p class="about">{t('ds.withoutAbout')}</p>
          <ul class="spots">
            {layout.lacks.slice(0, most).map((s) => (
              <li key={s.node} class="spot lacking">
                <a class="node" href={objectHref('nodes', '', s.node)}>
                  {s.node}
                </a>
                {missing && (
                  <span>
                    <StateMark state="bad" quiet /> {t('ds.missed')}
                  </span>
                )}
                <small>{s.taints.length > 0 ? t('ds.taints', { taints: s.taints.join(', ') }) : t('ds.untainted')}</small>
              </li>
            ))}
          </ul>
          {layout.lacks.length > most && <p>{t('tree.more', { n: layout.lacks.length - most })}</p>}
        </section>
      )}
      <History resource={resource} object={object} revisions={revisions.all} pods={pods.marks} />
    </div>
  )
}

const none = new Map<string, never>()

/** factsOf lists the settings that determine where and how Pods are updated. */
function factsOf(d: DaemonSet): Fact[] {
  const { type = 'RollingUpdate', rollingUpdate } = d.spec?.updateStrategy ?? {}
  const { maxUnavailable, maxSurge } = rollingUpdate ?? {}
  const update = [
    type,
    ...(maxUnavailable === undefined ? [] : [`maxUnavailable=${maxUnavailable}`]),
    ...(maxSurge === undefined ? [] : [`maxSurge=${maxSurge}`]),
  ]
  const { desiredNumberScheduled = 0, numberAvailable = 0, numberMisscheduled = 0 } = d.status ?? {}
  return [
    [t('sts.update'), update.join(' ')],
    [t('rollout.available'), `${numberAvailable}/${desiredNumberScheduled}`],
    ...(numberMisscheduled > 0 ? [[t('ds.astray'), numberMisscheduled] satisfies Fact] : []),
  ]
}

/** SpotView is a node with its Pod. A Pod of an older revision shows its number. */
function SpotView({ of: s, numbers, newest }: { of: Spot; numbers: ReadonlyMap<string, number>; newest: number }) {
  return (
    <li class={`spot ${s.state}`}>
      <a class="node" href={objectHref('nodes', '', s.node)}>
        {s.node}
      </a>
      {s.pods.map((p) => {
        const revision = numbers.get(p.meta.labels?.[historyLabel] ?? '') ?? 0
        return <PodLine key={p.uid} of={p} revision={revision === newest ? 0 : revision} />
      })}
    </li>
  )
}

function PodLine({ of: p, revision }: { of: Mark; revision: number }) {
  return (
    <a class="pod" href={objectHref('pods', p.meta.namespace, p.meta.name)} title={p.meta.name}>
      <StateMark state={p.state} quiet /> {p.meta.deletionTimestamp === undefined ? p.status : t('tree.terminating')}
      {revision > 0 && (
        <small>
          {' '}
          <Swatch revision={revision} /> {t('rollout.revision', { revision })}
        </small>
      )}
    </a>
  )
}
