import { useEffect, useState } from 'preact/hooks'
import { controllerOf, type KubeObject } from '../../api/object'
import { readJSON } from '../../api/read'
import { collectionPath, type Resource, resourceOfKind } from '../../api/resource'
import { type StatefulSet, startOf } from '../../api/sets'
import { useObject } from '../../api/use'
import { type Deployment, hashLabel, revisionOf } from '../../api/workload'
import { shownNow } from '../../clock/clock'
import { t } from '../../i18n'
import { at } from '../../route'
import { StateMark } from '../../ui/state'
import { cronJobVerdict } from '../../verdict/job'
import { stateOf } from '../../verdict/state'
import { deploymentVerdict } from '../../verdict/workload'
import type { TabProps } from '../object/tabprops'
import { BranchView, Card, Named } from './branch'
import { Connected } from './connected'
import { type Family, jobName, useCronJobFamily, useDeploymentFamily, usePodFamily } from './family'
import { oneOf } from './kin'
import { failing } from './mark'
import { type Fate, Pods } from './pods'
import { ScaleDownPreview } from './scaledown'
import './tree.css'

/**
 * Tree shows a workload with everything that it created and its strays; for a Pod, the family that
 * it belongs to.
 */
export function Tree({ resource, object }: TabProps) {
  if (resource.id === 'pods') return <Climb pod={object} resource={resource} />
  return <FamilyOf resource={resource} object={object} here={object.metadata.uid} />
}

interface RootProps extends TabProps {
  /** The uid of the object of the page. */
  readonly here: string
}

function FamilyOf(p: RootProps) {
  switch (p.resource.id) {
    case 'deployments.apps':
      return <DeploymentTree {...p} />
    case 'cronjobs.batch':
      return <CronJobTree {...p} />
    default:
      return <PodTree {...p} />
  }
}

/** mostGenerations limits how far up a Pod's owners are followed. */
const mostGenerations = 4

/** Climb finds the root of a Pod's family from owner to owner, and shows the family. */
function Climb({ pod, resource }: { pod: KubeObject; resource: Resource }) {
  const [root, setRoot] = useState<{ resource: Resource; object: KubeObject } | null>(null)
  const owner = controllerOf(pod.metadata)?.uid ?? ''
  useEffect(() => {
    const stop = new AbortController()
    void climb(pod, resource, stop.signal).then(
      (found) => !stop.signal.aborted && setRoot(found),
      () => !stop.signal.aborted && setRoot({ resource, object: pod }),
    )
    return () => stop.abort()
  }, [pod.metadata.uid, owner, at.value])
  if (!root) return <p class="notice">{t('load.loading')}</p>
  if (root.resource.id === 'pods') {
    return (
      <div class="tree">
        <Card resource="pods" kind="Pod" meta={pod.metadata} state="idle" here />
        <p>{t('tree.alone')}</p>
        <Connected resource={root.resource} object={pod} />
      </div>
    )
  }
  return <Root resource={root.resource} object={root.object} here={pod.metadata.uid} />
}

/** Root shows a family from a root that was read once, and follows its changes. */
function Root({ resource, object, here }: RootProps) {
  const read = useObject(resource, object.metadata.namespace ?? '', object.metadata.name)
  const now = read.object?.metadata.uid === object.metadata.uid ? read.object : object
  return <FamilyOf resource={resource} object={now} here={here} />
}

async function climb(from: KubeObject, resource: Resource, signal: AbortSignal): Promise<{ resource: Resource; object: KubeObject }> {
  let found = { resource, object: from }
  for (let i = 0; i < mostGenerations; i++) {
    const owner = controllerOf(found.object.metadata)
    const kind = owner && resourceOfKind(owner.apiVersion, owner.kind)
    if (!owner || !kind || !roots.includes(kind.id)) break
    const list = await readJSON<{ items: KubeObject[] }>(collectionPath(kind, from.metadata.namespace), {
      signal,
      query: {
        fieldSelector: `metadata.name=${owner.name}`,
        omitManagedFields: true,
        ...(at.value === null ? {} : { resourceVersion: at.value, resourceVersionMatch: 'Exact' }),
      },
    })
    const object = list.items.find((o) => o.metadata.uid === owner.uid)
    if (!object) break
    found = { resource: kind, object }
  }
  return found
}

/** roots are the kinds that are a family's root, or part of one. */
const roots = [
  'deployments.apps',
  'replicasets.apps',
  'replicationcontrollers',
  'statefulsets.apps',
  'daemonsets.apps',
  'cronjobs.batch',
  'jobs.batch',
]

/** previewed are the kinds for which the server lists the Pods that a scale-down deletes. Source: Rowlock's operation GET /rowlock/v1/scaledown. */
const previewed = ['replicasets.apps', 'replicationcontrollers', 'statefulsets.apps']

function DeploymentTree({ resource, object, here }: RootProps) {
  const d = object as Deployment
  const family = useDeploymentFamily(d)
  const replicas = d.spec.replicas ?? 1
  const { readyReplicas: ready = 0 } = d.status ?? {}
  return (
    <Shape
      {...{ resource, object, here, family }}
      state={
        deploymentVerdict(
          d,
          shownNow.value,
          family.branches.some((b) => failing(b.marks)),
        ).state
      }
      share={t('tree.share', { there: ready, wanted: replicas })}
      replicas={replicas}
      revision={revisionOf(d)}
    />
  )
}

function CronJobTree({ resource, object, here }: RootProps) {
  const family = useCronJobFamily(object)
  const spec = object.spec as { schedule?: string }
  return <Shape {...{ resource, object, here, family }} state={cronJobVerdict(object).state} share={spec.schedule ?? ''} />
}

/** PodTree is the tree of an object that has Pods itself. */
function PodTree({ resource, object, here }: RootProps) {
  const [anchor, anchorKey] = anchorOf(resource.id, object)
  const family = usePodFamily(object, anchor, anchorKey)
  const { wanted, there } = shareOf(resource.id, object)
  const seen = { object, now: shownNow.value, printed: 0, failing: failing(family.marks) }
  return (
    <Shape
      {...{ resource, object, here, family }}
      state={stateOf(resource.id, object.metadata, noCell, seen) ?? 'idle'}
      share={t('tree.share', { there, wanted })}
      marks={family.marks}
      revision={resource.id === 'replicasets.apps' ? revisionOf(object) : 0}
      {...(previewed.includes(resource.id) ? { replicas: wanted } : {})}
    />
  )
}

/**
 * anchorOf returns a selector for a label that only this family has, to find orphans; '' if there
 * is no such label.
 */
function anchorOf(id: string, o: KubeObject): [selector: string, label: string] {
  switch (id) {
    case 'jobs.batch':
      return [oneOf(jobName, [o.metadata.name]), jobName]
    case 'statefulsets.apps': {
      const s = o as StatefulSet
      const names = Array.from({ length: Math.min(s.spec?.replicas ?? 1, 50) }, (_, i) => `${o.metadata.name}-${startOf(s) + i}`)
      return [oneOf(podName, names), podName]
    }
    default: {
      const hash = o.metadata.labels?.[hashLabel]
      return [oneOf(hashLabel, hash ? [hash] : []), hashLabel]
    }
  }
}

/** podName is the label with its own name that a StatefulSet gives each Pod. */
const podName = 'statefulset.kubernetes.io/pod-name'

/**
 * shareOf returns the numbers of desired and available Pods of a workload; for a Job, of succeeded
 * ones.
 */
function shareOf(id: string, o: KubeObject): { wanted: number; there: number } {
  const spec = (o.spec ?? {}) as { replicas?: number; completions?: number; parallelism?: number }
  const status = (o.status ?? {}) as {
    availableReplicas?: number
    succeeded?: number
    desiredNumberScheduled?: number
    numberAvailable?: number
  }
  if (id === 'jobs.batch') return { wanted: spec.completions ?? spec.parallelism ?? 1, there: status.succeeded ?? 0 }
  if (id === 'daemonsets.apps') return { wanted: status.desiredNumberScheduled ?? 0, there: status.numberAvailable ?? 0 }
  return { wanted: spec.replicas ?? 1, there: status.availableReplicas ?? 0 }
}

/** noCell replaces the cells of a row for an object that is judged without one. */
const noCell = () => ''

interface ShapeProps extends RootProps {
  readonly family: Family
  readonly state: Parameters<typeof Card>[0]['state']
  readonly share: string
  readonly revision: number | undefined
  /** The Pods of the root itself. */
  readonly marks?: Family['strays']
  /** The desired replicas; absent if it cannot be scaled. */
  readonly replicas?: number
}

/**
 * Shape lays out the family: the root, its branches, and its strays. It consists of nested lists,
 * which screen readers present as a tree.
 */
function Shape({
  resource,
  object,
  here,
  family,
  state,
  share,
  revision,
  marks,
  replicas,
}: Omit<ShapeProps, 'revision'> & { revision?: number }) {
  const [fates, setFates] = useState<ReadonlyMap<string, Fate>>(new Map())
  const [present, past] = [family.branches.filter((b) => !b.past), family.branches.filter((b) => b.past)]
  const name = object.metadata.name
  return (
    <div class="tree">
      {replicas !== undefined && at.value === null && (
        <ScaleDownPreview resource={resource} object={object} replicas={replicas} version={family.version} preview={setFates} />
      )}
      {replicas !== undefined && at.value !== null && <p class="notice">{t('workload.past')}</p>}
      <ul class="family" aria-label={t('tree.of', { name })}>
        <li>
          <Card
            resource={resource.id}
            kind={resource.kind}
            meta={object.metadata}
            state={state}
            here={object.metadata.uid === here}
            {...(revision ? { revision } : {})}
          >
            <span>{share}</span>
          </Card>
          {marks && (
            <div class="leaves">
              <Pods marks={marks} fates={fates} here={here} label={t('tree.podsOf', { name })} />
              <Named marks={marks.filter((m) => m.kinship !== 'own')} />
            </div>
          )}
          {present.length > 0 && (
            <ul class="branches">
              {present.map((b) => (
                <BranchView key={b.meta.uid} of={b} fates={fates} here={here} />
              ))}
            </ul>
          )}
          {family.loading && <p class="notice">{t('load.loading')}</p>}
          {!family.loading && present.length === 0 && (marks?.length ?? 0) === 0 && <p class="empty">{t('tree.empty')}</p>}
        </li>
      </ul>
      {family.strays.length > 0 && (
        <section class="strays">
          <h2>{t('tree.strays')}</h2>
          <p>{t('tree.straysAbout')}</p>
          <Named marks={family.strays} />
        </section>
      )}
      {past.length > 0 && (
        <details class="folded">
          <summary>{t('tree.folded', { n: past.length })}</summary>
          <ul class="branches">
            {past.map((b) => (
              <BranchView key={b.meta.uid} of={b} fates={fates} here={here} />
            ))}
          </ul>
        </details>
      )}
      <Connected resource={resource} object={object} />
      <Legend />
    </div>
  )
}

const legend = ['ok', 'busy', 'wait', 'warn', 'bad', 'done', 'going'] as const

function Legend() {
  return (
    <ul class="counts legend">
      {legend.map((state) => (
        <li key={state}>
          <StateMark state={state} quiet /> {t(`state.${state}`)}
        </li>
      ))}
    </ul>
  )
}
