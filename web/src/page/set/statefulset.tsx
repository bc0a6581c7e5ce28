import { useMemo } from 'preact/hooks'
import { resources } from '../../api/resource'
import { selectorOf } from '../../api/selector'
import { numbersOf, type StatefulSet } from '../../api/sets'
import { useObjects } from '../../api/use'
import { formatSelector } from '../../api/workload'
import { t } from '../../i18n'
import { objectHref } from '../../route'
import { Age } from '../../ui/age'
import { StateMark } from '../../ui/state'
import { Trouble } from '../../ui/trouble'
import { phaseVerdict } from '../../verdict/phase'
import type { TabProps } from '../object/tabprops'
import { Swatch } from '../rollout/chart'
import type { Claim } from '../tree/around'
import { type Fact, Head } from './head'
import { History } from './history'
import { type ClaimSlot, folded, type Place, placesOf, type Run, wordsOf } from './ordinals'
import { useOwned, useRevisions } from './use'
import './set.css'

/**
 * most is how many ordinals are shown individually; above that, consecutive healthy ones are
 * combined.
 */
const most = 40

/** mostRows bounds the number of lines when few ordinals can be combined. */
const mostRows = 300

/**
 * Ordinals shows a StatefulSet: its state, and its Pods with their claims and revisions by ordinal.
 */
export function Ordinals({ resource, object }: TabProps) {
  const set = object as StatefulSet
  const { namespace } = set.metadata
  const pods = useOwned(set)
  const revisions = useRevisions(set)
  const claimResource = resources.value.get('persistentvolumeclaims')
  const claims = useObjects<Claim>(
    claimResource && (set.spec?.volumeClaimTemplates ?? []).length > 0
      ? { resource: claimResource, namespace, labels: formatSelector(selectorOf(set)) }
      : null,
  )
  const places = useMemo(
    () =>
      placesOf(
        set,
        pods.marks,
        [...claims.items.values()].map((c) => c.object),
        numbersOf(revisions.all),
      ),
    [set, pods.marks, claims.items, claims.changed, revisions.all],
  )
  const lines = useMemo(() => folded(places, most), [places])
  const words = wordsOf(set, places)
  return (
    <div class="set">
      <Head words={words} facts={factsOf(set)} />
      <Trouble of={pods} />
      {lines.length > 0 && (
        <div class="scroll">
          <table class="ordinals">
            <thead>
              <tr>
                <th scope="col">{t('sts.ordinal')}</th>
                <th scope="col">Pod</th>
                <th scope="col">{t('sts.status')}</th>
                <th scope="col">{t('sts.node')}</th>
                <th scope="col">{t('sts.revision')}</th>
                <th scope="col">{t('sts.claims')}</th>
                <th scope="col">{t('field.age')}</th>
              </tr>
            </thead>
            <tbody>
              {lines
                .slice(0, mostRows)
                .map((line) =>
                  'n' in line ? (
                    <RunRow key={line.first.ordinal} of={line} />
                  ) : (
                    <PlaceRow key={line.ordinal} of={line} namespace={namespace} waited={line.ordinal === words.values.ordinal} />
                  ),
                )}
            </tbody>
          </table>
        </div>
      )}
      {lines.length > mostRows && <p>{t('tree.more', { n: lines.length - mostRows })}</p>}
      <History resource={resource} object={object} revisions={revisions.all} pods={pods.marks} />
    </div>
  )
}

/** factsOf lists the settings that determine the order of updates. */
function factsOf(s: StatefulSet): Fact[] {
  const { updateStrategy: u, persistentVolumeClaimRetentionPolicy: kept, serviceName } = s.spec ?? {}
  const { partition = 0, maxUnavailable } = u?.rollingUpdate ?? {}
  const update = [
    u?.type ?? 'RollingUpdate',
    ...(partition > 0 ? [`partition=${partition}`] : []),
    ...(maxUnavailable === undefined ? [] : [`maxUnavailable=${maxUnavailable}`]),
  ]
  return [
    [t('sts.policy'), s.spec?.podManagementPolicy ?? 'OrderedReady'],
    [t('sts.update'), update.join(' ')],
    ...(serviceName ? [['Service', serviceName, objectHref('services', s.metadata.namespace, serviceName)] satisfies Fact] : []),
    ...(kept ? [[t('sts.claims'), `whenScaled=${kept.whenScaled} whenDeleted=${kept.whenDeleted}`] satisfies Fact] : []),
  ]
}

function RunRow({ of: r }: { of: Run }) {
  return (
    <tr class="run">
      <th scope="row">
        {r.first.ordinal}–{r.last.ordinal}
      </th>
      <td colSpan={6}>
        <StateMark state="ok" quiet /> {t('sts.folded', { n: r.n })}
      </td>
    </tr>
  )
}

/** PlaceRow is an ordinal. `waited` marks the one that all others are waiting for. */
function PlaceRow({ of: p, namespace, waited }: { of: Place; namespace: string | undefined; waited: boolean }) {
  return (
    <tr class={`${p.role} ${waited ? 'waited' : ''}`}>
      <th scope="row">{p.ordinal}</th>
      <td>
        <StateMark state={p.pod?.state ?? (p.role === 'kept' ? 'idle' : 'wait')} />{' '}
        {p.pod ? <a href={objectHref('pods', namespace, p.name)}>{p.name}</a> : <span class="faint">{p.name}</span>}
      </td>
      <td>
        {p.pod ? (p.pod.meta.deletionTimestamp === undefined ? p.pod.status : t('tree.terminating')) : t(`sts.none.${p.role}`)}
        {p.role === 'condemned' && <small> {t('sts.leaving')}</small>}
      </td>
      <td>{p.pod?.node && <a href={objectHref('nodes', '', p.pod.node)}>{p.pod.node}</a>}</td>
      <td>
        {p.revision > 0 && (
          <>
            <Swatch revision={p.revision} /> {p.revision}
          </>
        )}
      </td>
      <td>
        {p.claims.map((c) => (
          <ClaimCell key={c.name} of={c} namespace={namespace} />
        ))}
      </td>
      <td>{p.pod && <Age since={p.pod.meta.creationTimestamp} />}</td>
    </tr>
  )
}

function ClaimCell({ of: c, namespace }: { of: ClaimSlot; namespace: string | undefined }) {
  const status = c.claim?.status
  if (!c.claim) {
    return (
      <span class="slot faint">
        <StateMark state="wait" quiet /> {c.name} <small>{t('sts.claimMissing')}</small>
      </span>
    )
  }
  return (
    <span class="slot">
      <StateMark state={phaseVerdict('persistentvolumeclaims', c.claim).state} />{' '}
      <a href={objectHref('persistentvolumeclaims', namespace, c.name)}>{c.name}</a>{' '}
      <small>{status?.capacity?.storage ?? status?.phase ?? ''}</small>
    </span>
  )
}
