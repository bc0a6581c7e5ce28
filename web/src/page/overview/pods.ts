import type { Row } from '../../api/form'
import { controllerOf } from '../../api/object'
import type { State } from '../../ui/state'
import { lastRestart } from '../../verdict/pod'
import { type Places, podStateOf, text } from '../../verdict/row'
import { loopBegan } from './began'
import { imagesOf, type Owners, type Root, rootOf, templateOf } from './owners'
import { type Problem, timeOf, type Why } from './problem'

/** reasons maps the STATUS of Pods to problems. */
export const reasons: Readonly<Record<string, Why>> = {
  ErrImagePull: 'pull',
  ImagePullBackOff: 'pull',
  ErrImageNeverPull: 'pull',
  InvalidImageName: 'imageName',
  CrashLoopBackOff: 'crash',
  CreateContainerConfigError: 'config',
  CreateContainerError: 'config',
  RunContainerError: 'config',
  OOMKilled: 'memory',
  Evicted: 'evicted',
}

/**
 * How long, in milliseconds, a Pod may wait for a node, become ready, and terminate before that is
 * a problem.
 */
const patience = { scheduling: 5_000, ready: 60_000, going: 30_000 }

/**
 * isUnbound reports whether a Pod is waiting for a node. A Pod that has a node but has not started
 * is Pending too.
 */
function isUnbound(row: Row, at: Places): boolean {
  return text(row, at.status) === 'Pending' && ['', '<none>'].includes(text(row, at.node))
}

interface Judged {
  readonly why: Why
  readonly state: State
}

/**
 * judgePod returns the problem of a Pod that its row shows; null if there is none. Failed Pods of a
 * Job are the Job's concern.
 */
export function judgePod(row: Row, at: Places, now: number): Judged | null {
  const state = podStateOf(row, at, now)
  const age = now - (timeOf(row.meta.creationTimestamp) ?? now)
  switch (state) {
    case 'going':
      return now - (timeOf(row.meta.deletionTimestamp) ?? now) > patience.going ? { why: 'podStuck', state: 'warn' } : null
    case 'wait':
      return isUnbound(row, at) && age > patience.scheduling ? { why: 'unscheduled', state: 'wait' } : null
    case 'busy':
      return text(row, at.status) === 'Running' && age > patience.ready ? { why: 'notReady', state: 'warn' } : null
    case 'warn':
    case 'bad': {
      // A Pod that is running and yet has a problem keeps crashing.
      if (text(row, at.status) === 'Running') return { why: 'crash', state }
      if (text(row, at.status) === 'NotReady') return age > patience.ready ? { why: 'notReady', state } : null
      const why = reasons[text(row, at.status).replace(/^Init:/, '')]
      if (why) return { why, state }
      const owner = controllerOf(row.meta)?.kind
      if (state !== 'bad' || owner === 'Job') return null
      // Workloads other than Jobs restart their containers, so an error is part of a crash loop.
      return { why: owner !== undefined && /^(Init:)?(Error|ExitCode:|Signal:)/.test(text(row, at.status)) ? 'crash' : 'podFailed', state }
    }
    default:
      return null
  }
}

/**
 * judgePods finds Pods with problems. Pods of one workload with the same problem are combined into
 * one, described by the oldest.
 */
export function judgePods(rows: Iterable<Row>, at: Places, now: number, owners: Owners): Problem[] {
  const found = new Map<string, Group>()
  const old = new Map<string, Old>()
  for (const row of rows) {
    const root = rootOf(row.meta, owners)
    if (root?.old) countOld(old, root.uid, podStateOf(row, at, now))
    const j = judgePod(row, at, now)
    if (!j) continue
    const id = `${root?.uid ?? row.meta.uid}/${causes[j.why] ?? j.why}${root?.old ? '/old' : ''}`
    const since = beganBy(row, at, j.why)
    const g = found.get(id)
    if (!g) found.set(id, { ...j, id, count: 1, oldest: row, since, nodes: new Set([text(row, at.node)]), ...(root ? { root } : {}) })
    else {
      g.count++
      g.nodes.add(text(row, at.node))
      g.since = Math.min(g.since, since)
      if (isBefore(row, g.oldest)) g.oldest = row
    }
  }
  return [...found.values()].map((g) => problemOf(g, at, old.get(g.root?.uid ?? ''), owners))
}

/**
 * causes maps alternating problems to their common cause: containers that crash are seen in several
 * states.
 */
const causes: Partial<Readonly<Record<Why, Why>>> = { memory: 'crash', podFailed: 'crash' }

/** isCrash reports whether the problem is that a container has ended. */
export const isCrash = (why: Why): boolean => (causes[why] ?? why) === 'crash'

/** Old is the number of Pods of a Deployment's older revisions, and how many of them are ready. */
interface Old {
  all: number
  ready: number
}

function countOld(of: Map<string, Old>, uid: string, state: State): void {
  const found = of.get(uid) ?? { all: 0, ready: 0 }
  if (state === 'ok') found.ready++
  if (state !== 'going' && state !== 'bad') found.all++
  of.set(uid, found)
}

const isBefore = (a: Row, b: Row): boolean => a.meta.creationTimestamp + a.meta.name < b.meta.creationTimestamp + b.meta.name

/** beganBy returns when a Pod's problem began according to its row, in milliseconds. */
function beganBy(row: Row, at: Places, why: Why): number {
  const made = timeOf(row.meta.creationTimestamp) ?? row.printed
  if (why === 'podStuck') return timeOf(row.meta.deletionTimestamp) ?? made
  if (!isCrash(why)) return made
  const restarts = lastRestart({ restarts: text(row, at.restarts), at: row.printed })
  return restarts.n === 0 ? row.printed : loopBegan(restarts, made)
}

interface Group extends Judged {
  readonly id: string
  readonly root?: Root
  readonly nodes: Set<string>
  count: number
  since: number
  oldest: Row // it is replaced last, so that the text does not change often
}

function problemOf(g: Group, at: Places, old: Old | undefined, owners: Owners): Problem {
  const { meta } = g.oldest
  const images = imagesOf(templateOf(owners.makers.get(controllerOf(meta)?.uid ?? '')))
  const labels = ['pod-template-hash', 'batch.kubernetes.io/job-name', 'controller-revision-hash'].find(
    (l) => meta.labels?.[l] !== undefined,
  )
  const fresh = g.root !== undefined && !g.root.old && (old?.all ?? 0) > 0
  return {
    id: g.id,
    state: g.state,
    why: g.why,
    reason: g.why === 'notReady' ? 'NotReady' : text(g.oldest, at.status),
    message: '',
    about: { resource: 'pods', kind: 'Pod', namespace: meta.namespace, name: meta.name },
    since: g.since,
    count: g.count,
    nodes: [...g.nodes],
    pods: { labels: meta.labels ?? {}, images, ...(g.count === 1 ? { one: meta.name } : {}) },
    ...(g.root ? { owner: g.root.about } : {}),
    ...(labels ? { labels: `${labels}=${meta.labels?.[labels]}` } : {}),
    ...(fresh ? { fresh: { serving: old?.ready ?? 0 } } : {}),
    ...(g.root?.previous && !g.root.old ? { previous: g.root.previous } : {}),
  }
}
