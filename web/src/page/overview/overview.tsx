import { useFaults } from '../../act/faultfeed'
import type { Fault } from '../../act/faultrequest'
import { FaultsNote } from '../../act/faults'
import { firstStepsShown } from '../../act/firsttaken'
import type { Item } from '../../api/feed'
import type { Reading } from '../../api/use'
import { shownNow } from '../../clock/clock'
import { t } from '../../i18n'
import { at, route } from '../../route'
import { standing } from '../../time/now'
import { useCalm } from '../../ui/calm'
import { type Loader, Slot } from '../../ui/slot'
import { Trouble } from '../../ui/trouble'
import { cronJobVerdict, jobVerdict } from '../../verdict/job'
import { failingOf, isFailing, placesOf } from '../../verdict/row'
import { daemonSetVerdict, statefulSetVerdict } from '../../verdict/sets'
import { deploymentVerdict } from '../../verdict/workload'
import { Kinds, Namespaces, Nodes } from './counts'
import { type Happening, happeningsOf, judgeEvents, refusalsIn } from './events'
import { folded } from './fold'
import { Happenings } from './happenings'
import { withImages } from './images'
import { gather, judgeClaim, judgeDeployment, judgeJob, judgeNamespace, judgeNode, judgeQuota } from './judge'
import { judgeAutoscaler, judgeBudget } from './judgebounds'
import { judgeController, judgeDaemonSet, judgeStatefulSet, type Members, membersOf } from './judgesets'
import { ownersOf } from './owners'
import { judgePods } from './pods'
import { ordered, type Problem } from './problem'
import { knownSince, Problems } from './problems'
import { type Cluster, changesOf, useCluster, useWarnings } from './read'
import { type Counts, countPods, type Tally, tally, totalOf } from './tally'
import './overview.css'

/**
 * pause is how long the overview stays unchanged at least, in milliseconds, while the cluster
 * changes.
 */
const pause = 300

/**
 * newest is how many Events are shown; known is how many of the newest are searched for problems
 * that only Events show.
 */
const newest = 12
const known = 500

/**
 * calm is how long the shown Events stay at least, in milliseconds: there may be very many of them.
 */
const calm = 1000

/**
 * Overview shows the state of the cluster: problems first, then the numbers of objects by state.
 */
export function Overview() {
  const cluster = useCluster()
  const { pods } = cluster
  const warnings = useWarnings(isRead(pods))
  const faults = useFaults()
  const active = at.value === null ? faults.items : none
  const now = shownNow.value
  const ns = route.value.query.ns ?? ''
  const asked = `${ns} ${at.value} ${pods.columns.length > 0}`
  // Show a complete read at once: before it, "nothing is wrong" would be a guess.
  const all = complete(cluster)
  const trouble = firstTrouble(cluster)
  const refused = trouble.error !== null && trouble.error.code !== 0
  const warned = isRead(warnings)
  const happenings = useCalm(warnings.changed, `${asked} ${warned}`, calm, () =>
    happeningsOf(warnings.items.values(), warnings.columns, known),
  )
  const changes = changesOf(cluster) + warnings.changed + Math.floor(now / 1000)
  const names = active.map((f) => f.name).join()
  const seen = useCalm(changes, `${asked} ${all} ${names}`, pause, () => look(cluster, now, refusalsIn(happenings), active))
  const missed = missedOf(happenings)
  return (
    <>
      <h1 class="unseen">{t('nav.overview')}</h1>
      <Trouble of={trouble} whole />
      <FaultsNote faults={faults} />
      <div class="overview">
        <div class="lead">
          {at.value === null && firstStepsShown(all && isEmpty(seen)) && <Slot of={firstSteps} namespace={ns} />}
          <Problems
            all={missed.length === 0 ? seen.problems : ordered([...seen.problems, ...missed])}
            complete={all}
            refused={refused}
            lifted={faults.again}
          />
          <Happenings all={happenings.slice(0, newest)} ns={ns} complete={warned} />
        </div>
        <div class="side">
          <Kinds counts={seen.kinds} unknown={unknownOf(cluster)} refused={refused} />
          {!without(cluster, cluster.nodes) && <Nodes all={[...cluster.nodes.items.values()]} pods={seen.pods.nodes} />}
          {ns === '' && <Namespaces all={[...cluster.namespaces.items.values()]} pods={seen.pods.namespaces} />}
        </div>
      </div>
    </>
  )
}

const none: readonly Fault[] = []

const firstSteps: Loader<{ namespace: string }> = () => import('../../act/firststeps').then((m) => m.FirstSteps)

/** isEmpty reports whether the cluster has no workloads. */
const isEmpty = (s: Seen): boolean => s.kinds.every(([, states]) => totalOf(states) === 0)

/** missedOf combines missed runs into one problem per CronJob. */
const missedOf = (all: readonly Happening[]): Problem[] => gather(judgeEvents(all))

/** Seen is what the overview shows of a cluster. */
interface Seen {
  readonly problems: readonly Problem[]
  readonly pods: Counts
  readonly kinds: readonly (readonly [string, Tally, number])[]
}

function look(c: Cluster, now: number, refusals: ReadonlyMap<string, string>, faults: readonly Fault[]): Seen {
  const places = placesOf(c.pods.columns)
  const noPods: Counts = { all: {}, namespaces: new Map(), nodes: new Map() }
  const pods = places ? countPods(c.pods.items.values(), places, now) : noPods
  const failing = places ? failingOf(c.pods.items.values(), places, now) : new Set<string>()
  const cronJobs = [...c.cronJobs.items.values()].map((j) => j.object)
  const deployments = [...c.deployments.items.values()].map((d) => d.object)
  const jobs = [...c.jobs.items.values()].map((j) => j.object)
  const sets = [...c.sets.items.values()].map((s) => s.object)
  const daemons = [...c.daemons.items.values()].map((d) => d.object)
  const members: Members = places && sets.length + daemons.length > 0 ? membersOf(c.pods.items.values(), places, now) : new Map()
  const membersAt = (o: { readonly metadata: { readonly uid: string } }) => members.get(o.metadata.uid) ?? []
  const owners = ownersOf(
    [...c.replicaSets.items.values()].map((r) => r.object),
    jobs,
    [...sets, ...daemons],
  )
  const podsRead = places !== null && isRead(c.pods)
  return {
    problems: ordered(
      folded(
        gather([
          ...deployments.flatMap(judgeDeployment),
          ...(podsRead ? sets.flatMap((s) => judgeStatefulSet(s, membersAt(s), now)) : []),
          ...daemons.flatMap((d) => judgeDaemonSet(d, membersAt(d), now, standing(d.metadata.resourceVersion, now))),
          ...[...c.controllers.items.values()].flatMap((r) => judgeController(r.object)),
          ...[...c.budgets.items.values()].flatMap((b) => judgeBudget(b.object)),
          ...[...c.autoscalers.items.values()].flatMap((h) => judgeAutoscaler(h.object)),
          ...jobs.flatMap(judgeJob),
          ...[...c.nodes.items.values()].flatMap((n) => judgeNode(n.object)),
          ...[...c.claims.items.values()].flatMap((v) => judgeClaim(v.object, now)),
          ...[...c.namespaces.items.values()].filter((n) => isOf(n.meta.name)).flatMap((n) => judgeNamespace(n.object, now)),
          ...[...c.quotas.items.values()].flatMap((q) => judgeQuota(q.object)),
          ...(places ? judgePods(c.pods.items.values(), places, now, owners) : []),
        ]).map((p) => withImages(withRefusal(p, refusals))),
        faults,
      ).map((p) => ({ ...p, since: knownSince.get(p.id) ?? p.since })),
    ),
    pods,
    kinds: [
      [
        'deployments.apps',
        tally(deployments.map((d) => deploymentVerdict(d, now, isFailing(failing, 'deployments.apps', d.metadata)).state)),
        c.deployments.remaining,
      ],
      ['statefulsets.apps', tally(sets.map((s) => statefulSetVerdict(s, failing.has(s.metadata.uid)).state)), c.sets.remaining],
      [
        'daemonsets.apps',
        tally(daemons.map((d) => daemonSetVerdict(d, failing.has(d.metadata.uid), standing(d.metadata.resourceVersion, now)).state)),
        c.daemons.remaining,
      ],
      ['pods', pods.all, c.pods.remaining],
      ['jobs.batch', tally(jobs.map((j) => jobVerdict(j).state)), c.jobs.remaining],
      ['cronjobs.batch', tally(cronJobs.map((j) => cronJobVerdict(j).state)), c.cronJobs.remaining],
    ],
  }
}

/** withRefusal adds why the Pods of a set are missing, if Events say so. */
function withRefusal(p: Problem, refusals: ReadonlyMap<string, string>): Problem {
  const { kind, name, namespace } = p.about
  if (p.why !== 'setMissing' && p.why !== 'daemonMissing') return p
  return { ...p, message: refusals.get(`${namespace} ${kind.toLowerCase()}/${name}`) ?? p.message }
}

/** isRead reports whether a collection is completely read. */
const isRead = (r: Pick<Reading<Item>, 'phase'>): boolean => r.phase === 'live' || r.phase === 'past'

/** unknownOf returns the kinds that have not been read yet. */
function unknownOf(c: Cluster): Set<string> {
  const read: [string, Reading<Item>][] = [
    ['deployments.apps', c.deployments],
    ['statefulsets.apps', c.sets],
    ['daemonsets.apps', c.daemons],
    ['pods', c.pods],
    ['jobs.batch', c.jobs],
    ['cronjobs.batch', c.cronJobs],
  ]
  return new Set(read.filter(([, r]) => !isRead(r) && r.items.size === 0).map(([id]) => id))
}

/** isOf reports whether a namespace is shown. */
function isOf(name: string): boolean {
  const ns = route.peek().query.ns
  return ns === undefined || ns === name
}

const readings = (c: Cluster): Reading<Item>[] => Object.values(c) as Reading<Item>[]

/**
 * without reports whether a cluster-scoped collection is forbidden to a user who looks at one
 * namespace; then only the contents of the namespace matter.
 */
const without = (c: Cluster, r: Reading<Item>): boolean =>
  route.peek().query.ns !== undefined && (r === c.nodes || r === c.namespaces) && r.error?.code === 403

/** complete reports whether everything has been read in which problems are searched. */
const complete = (c: Cluster): boolean => readings(c).every((r) => isRead(r) || without(c, r))

/** firstTrouble returns why the overview is incomplete, other than that it is still loading. */
function firstTrouble(c: Cluster): Pick<Reading<Item>, 'phase' | 'error' | 'remaining'> {
  return readings(c).find((r) => r.error && !without(c, r)) ?? { phase: 'live', error: null, remaining: 0 }
}
