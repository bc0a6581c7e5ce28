import type { ComponentChildren } from 'preact'
import type { Whole } from '../../api/form'
import { type Resource, resources } from '../../api/resource'
import { formatNumber, t } from '../../i18n'
import { href, objectHref, tableHref } from '../../route'
import { titleOf } from '../../shell/kind'
import { namespaceFor } from '../../shell/namespace'
import { StateMark } from '../../ui/state'
import { StateBar } from '../../ui/statebar'
import { nodeVerdict } from '../../verdict/node'
import { phaseVerdict } from '../../verdict/phase'
import { naturalKey, parseQuantity } from '../table/key'
import type { Namespace, Node } from './objects'
import { type Tally, totalOf } from './tally'

/** most is how many nodes and namespaces are listed; the tables have all. */
const most = 24

/** Panel is a part of the overview. `more` links to the full table. */
export function Panel({
  id,
  title,
  more,
  children,
}: {
  id: string
  title: string
  more?: Resource | undefined
  children: ComponentChildren
}) {
  return (
    <section class={`panel ${id}`} aria-labelledby={id}>
      <h2 id={id}>{more ? <a href={tableHref(more.id, namespaceFor(more))}>{title}</a> : title}</h2>
      {children}
    </section>
  )
}

/**
 * Kinds shows how many objects of each kind are in which state; `unknown` are the kinds not read
 * yet, or not at all if something is `refused`.
 */
export function Kinds({
  counts,
  unknown,
  refused,
}: {
  counts: readonly (readonly [string, Tally, number])[]
  unknown: ReadonlySet<string>
  refused: boolean
}) {
  return (
    <Panel id="workloads" title={t('nav.workloads')}>
      <ul class="kinds-list">
        {counts.map(([id, tally, remaining]) => {
          const r = resources.value.get(id)
          return (
            r && (
              <li key={id}>
                <a href={tableHref(id, namespaceFor(r))}>
                  {titleOf(r)} <strong>{unknown.has(id) ? (refused ? '–' : '…') : formatNumber(totalOf(tally) + remaining)}</strong>
                </a>
                <StateBar counts={tally} />
              </li>
            )
          )
        })}
      </ul>
    </Panel>
  )
}

/** Nodes shows the nodes, those with problems first, and their Pods. */
export function Nodes({ all, pods }: { all: readonly Whole<Node>[]; pods: ReadonlyMap<string, Tally> }) {
  const nodes = all
    .map(({ object }) => ({ object, state: nodeVerdict(object).state, key: naturalKey(object.metadata.name) }))
    .sort((a, b) => Number(a.state === 'ok') - Number(b.state === 'ok') || (a.key < b.key ? -1 : 1))
  return (
    <Panel id="nodes" title={resourceTitle('nodes')} more={resources.value.get('nodes')}>
      <ul class="rows">
        {nodes.slice(0, most).map(({ object, state }) => {
          const on = pods.get(object.metadata.name) ?? {}
          const room = parseQuantity(object.status?.allocatable?.pods ?? '') ?? 0
          return (
            <li key={object.metadata.uid}>
              <StateMark state={state} />
              <a href={objectHref('nodes', '', object.metadata.name)}>{object.metadata.name}</a>
              <a
                class="faint"
                href={tableHref('pods', { f: `spec.nodeName=${object.metadata.name}` })}
                title={t('overview.room', { room: formatNumber(room) })}
              >
                {t('overview.pods', { n: totalOf(on) })}
              </a>
              <StateBar counts={on} bar={false} />
            </li>
          )
        })}
      </ul>
      {nodes.length > most && <a href={tableHref('nodes')}>{t('overview.more', { n: nodes.length - most })}</a>}
    </Panel>
  )
}

/** Namespaces shows the namespaces with their Pods; those with the most first. */
export function Namespaces({ all, pods }: { all: readonly Whole<Namespace>[]; pods: ReadonlyMap<string, Tally> }) {
  const spaces = all
    .map(({ object }) => ({ object, tally: pods.get(object.metadata.name) ?? {}, n: totalOf(pods.get(object.metadata.name) ?? {}) }))
    .sort((a, b) => b.n - a.n || (a.object.metadata.name < b.object.metadata.name ? -1 : 1))
  return (
    <Panel id="namespaces" title={resourceTitle('namespaces')} more={resources.value.get('namespaces')}>
      <ul class="rows">
        {spaces.slice(0, most).map(({ object, tally, n }) => (
          <li key={object.metadata.uid}>
            <StateMark state={phaseVerdict('namespaces', object).state} />
            <a href={href({ page: 'overview', query: { ns: object.metadata.name } })}>{object.metadata.name}</a>
            <span class="faint">{t('overview.pods', { n })}</span>
            <StateBar counts={tally} bar={false} />
          </li>
        ))}
      </ul>
      {spaces.length > most && <a href={tableHref('namespaces')}>{t('overview.more', { n: spaces.length - most })}</a>}
    </Panel>
  )
}

function resourceTitle(id: string): string {
  const r = resources.value.get(id)
  return r ? titleOf(r) : id
}
