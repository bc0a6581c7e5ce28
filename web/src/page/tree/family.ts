import { useMemo, useRef } from 'preact/hooks'
import type { Row } from '../../api/form'
import { controllerOf, type KubeObject, type Meta } from '../../api/object'
import { type Resource, resources } from '../../api/resource'
import { type Selector, selectorOf, selects } from '../../api/selector'
import { useObjects, useTable } from '../../api/use'
import { type Deployment, formatSelector, hashLabel, imagesOf, type ReplicaSet, revisionOf } from '../../api/workload'
import { shownMinute } from '../../clock/clock'
import { t } from '../../i18n'
import { jobVerdict } from '../../verdict/job'
import { replicaSetVerdict } from '../../verdict/workload'
import type { Branch } from './branch'
import { kinshipOf, oneOf, strayLabels, strayOf } from './kin'
import { failing, inOrder, type Mark, markOf, printerOf } from './mark'

/** Family is a workload's family as the page shows it. */
export interface Family {
  readonly branches: readonly Branch[]
  /** Pods without a controller. */
  readonly strays: readonly Mark[]
  /** Increases with every change. */
  readonly version: number
  readonly loading: boolean
}

const resource = (id: string): Resource | undefined => resources.value.get(id)

/** useKin reads rows by up to three selectors, without duplicates. */
function useKin(id: string, namespace: string, selectors: readonly string[]) {
  const of = resource(id)
  const select = (s: string | undefined) => (of && s ? { resource: of, namespace, labels: s } : null)
  const all = [useTable(select(selectors[0])), useTable(select(selectors[1])), useTable(select(selectors[2]))]
  const changed = all.reduce((n, one) => n + one.changed, 0)
  const rows = useMemo(() => {
    const out = new Map<string, Row>()
    for (const one of all) for (const row of one.items.values()) out.set(row.meta.uid, row)
    return out
  }, [changed, ...all.map((one) => one.items)])
  return { rows, changed, columns: all[0]?.columns ?? [], loading: selectors.length > 0 && all[0]?.phase === 'loading' }
}

/** byOwner groups Pods by controller, and finds those without one. */
function byOwner(
  kin: ReturnType<typeof useKin>,
  makers: readonly Meta[],
  selector: Selector | null,
  now: number,
): { of: Map<string, Mark[]>; strays: Mark[] } {
  const printed = printerOf(kin.columns)
  const known = new Map(makers.map((m) => [m.uid, m]))
  const of = new Map<string, Mark[]>()
  const strays: Mark[] = []
  for (const row of kin.rows.values()) {
    const owner = known.get(controllerOf(row.meta)?.uid ?? '')
    const stray = owner ? undefined : strayOf(row.meta, makers, selector !== null && selects(selector, row.meta.labels))
    if (!owner && !stray) continue
    const mark = markOf(row, printed(row), owner ? kinshipOf(row.meta, owner) : (stray ?? 'own'), now)
    const list = owner ? (of.get(owner.uid) ?? []) : strays
    list.push(mark)
    if (owner) of.set(owner.uid, list)
  }
  for (const list of of.values()) list.sort(inOrder)
  return { of, strays: strays.sort(inOrder) }
}

/** shareOf formats the numbers of existing and desired Pods. */
const shareOf = (there: number, wanted: number): string => t('tree.share', { there, wanted })

function setBranch(rs: ReplicaSet, owner: Meta | null, marks: readonly Mark[]): Branch {
  const wanted = rs.spec.replicas ?? 1
  const available = rs.status?.availableReplicas ?? 0
  const managed = controllerOf(rs.metadata) !== undefined
  return {
    resource: 'replicasets.apps',
    kind: 'ReplicaSet',
    meta: rs.metadata,
    state: replicaSetVerdict(rs, failing(marks)).state,
    kinship: !owner ? 'own' : managed ? kinshipOf(rs.metadata, owner) : (strayOf(rs.metadata, [owner], true) ?? 'own'),
    share: shareOf(available, wanted),
    about: imagesOf(rs.spec.template).join(', '),
    revision: revisionOf(rs),
    past: wanted === 0 && marks.length === 0,
    marks,
  }
}

/**
 * useDeploymentFamily reads a Deployment's family: the ReplicaSets that it selects or manages, and
 * their Pods.
 */
export function useDeploymentFamily(d: Deployment | null): Family {
  const namespace = d?.metadata.namespace ?? ''
  const selector = d?.spec.selector ?? {}
  const of = resource('replicasets.apps')
  const labels = formatSelector(selector)
  const sets = useObjects<ReplicaSet>(d && of ? { resource: of, namespace, labels } : null)
  const uid = d?.metadata.uid
  const all = useMemo(
    () =>
      [...sets.items.values()]
        .map((w) => w.object)
        .filter((rs) => (controllerOf(rs.metadata)?.uid ?? uid) === uid)
        .sort((a, b) => revisionOf(b) - revisionOf(a)),
    [sets.items, sets.changed, uid],
  )
  const hashes = all
    .map((rs) => rs.metadata.labels?.[hashLabel] ?? '')
    .filter((h) => h !== '')
    .sort()
  const kin = useKin('pods', namespace, d ? [labels, ...strayLabels(selector, oneOf(hashLabel, hashes), hashLabel)] : [])
  const now = shownMinute.value
  return useMemo(() => {
    if (!d) return none
    const pods = byOwner(
      kin,
      all.map((rs) => rs.metadata),
      selector,
      now,
    )
    const branches = all.map((rs) => setBranch(rs, d.metadata, pods.of.get(rs.metadata.uid) ?? []))
    return { branches, strays: pods.strays, version: sets.changed + kin.changed, loading: sets.phase === 'loading' || kin.loading }
  }, [all, kin.rows, kin.columns, kin.loading, sets.phase, d, now])
}

const none: Family = { branches: [], strays: [], version: 0, loading: true }

/**
 * usePodFamily reads the family of an object that has Pods itself: a ReplicaSet, a StatefulSet, a
 * Job. It has one branch, the root.
 */
export function usePodFamily(o: KubeObject | null, anchor: string, anchorKey: string): Family & { marks: readonly Mark[] } {
  const selector = o ? selectorOf(o) : {}
  const labels = formatSelector(selector)
  const kin = useKin('pods', o?.metadata.namespace ?? '', o && labels !== '' ? [labels, ...strayLabels(selector, anchor, anchorKey)] : [])
  const now = shownMinute.value
  return useMemo(() => {
    if (!o) return { ...none, marks: [] }
    const pods = byOwner(kin, [o.metadata], selector, now)
    return { branches: [], strays: pods.strays, version: kin.changed, loading: kin.loading, marks: pods.of.get(o.metadata.uid) ?? [] }
  }, [kin.rows, kin.columns, kin.loading, o, now])
}

/** jobName is the label with the Job's name on its Pods. */
export const jobName = 'batch.kubernetes.io/job-name'

/** mostJobs is how many Jobs of a CronJob are shown with their Pods: the newest. */
const mostJobs = 20

/**
 * useCronJobFamily reads a CronJob's family: its Jobs and their Pods. Jobs have no label that names
 * their CronJob, so all Jobs of the namespace are read as rows, and the Pods by the names of the
 * Jobs.
 */
export function useCronJobFamily(o: KubeObject | null): Family {
  const namespace = o?.metadata.namespace ?? ''
  const of = resource('jobs.batch')
  const jobs = useTable(o && of ? { resource: of, namespace } : null)
  const uid = o?.metadata.uid
  const rows = useMemo(
    () =>
      [...jobs.items.values()]
        .filter((row) => controllerOf(row.meta)?.uid === uid)
        .sort((a, b) => (a.meta.creationTimestamp < b.meta.creationTimestamp ? 1 : -1))
        .slice(0, mostJobs),
    [jobs.items, jobs.changed, uid],
  )
  const names = rows.map((r) => r.meta.name).sort()
  const kin = useKin('pods', namespace, names.length > 0 ? [oneOf(jobName, names)] : [])
  // Other Jobs need another selector: until its Pods have arrived, the previous ones stay.
  const before = useRef<ReturnType<typeof useKin> | null>(null)
  if (!kin.loading) before.current = kin
  const shown = kin.loading && before.current ? before.current : kin
  const now = shownMinute.value
  return useMemo(() => {
    if (!o) return none
    const pods = byOwner(
      shown,
      rows.map((r) => r.meta),
      null,
      now,
    )
    const printed = printerOf(jobs.columns)
    const branches = rows.map((row): Branch => {
      const state = jobVerdict(row.object ?? { metadata: row.meta }).state
      return {
        resource: 'jobs.batch',
        kind: 'Job',
        meta: row.meta,
        state,
        kinship: kinshipOf(row.meta, o.metadata),
        share: printed(row)('Completions'),
        about: printed(row)('Status'),
        revision: 0,
        past: false,
        marks: pods.of.get(row.meta.uid) ?? [],
      }
    })
    return { branches, strays: pods.strays, version: jobs.changed + shown.changed, loading: jobs.phase === 'loading' }
  }, [rows, shown.rows, shown.columns, jobs.columns, jobs.phase, o, now])
}
