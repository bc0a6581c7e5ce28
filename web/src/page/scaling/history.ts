import type { Autoscaler, MetricSpec, MetricStatus, MetricValue } from '../../api/autoscaler'
import type { Form, LogChange } from '../rollout/change'
import { parseQuantity } from '../table/key'

/** Level is a metric and its target. */
export interface Level {
  readonly name: string
  /** Formatted values: 60%, 250m. '' if unknown. */
  readonly current: string
  readonly target: string
  /** The ratio to the target: 1 is exactly the target; null if unknown. */
  readonly share: number | null
}

/** Frame is the state of an autoscaler after a change. */
export interface Frame {
  readonly revision: number
  readonly at: number
  /** The current and the desired number of replicas. */
  readonly current: number
  readonly desired: number
  readonly least: number
  readonly most: number
  readonly levels: readonly Level[]
}

type Metric = MetricSpec | MetricStatus

/** detailOf returns the part of a metric that its type names. */
const detailOf = (m: Metric) => m.resource ?? m.containerResource ?? m.pods ?? m.object ?? m.external

/** metricName names a metric: cpu, cpu of app, requests, requests of Service web. */
export function metricName(m: Metric): string {
  if (m.resource) return m.resource.name
  if (m.containerResource) return `${m.containerResource.name} (${m.containerResource.container})`
  if (m.object) return `${m.object.metric.name} (${m.object.describedObject.kind} ${m.object.describedObject.name})`
  return m.pods?.metric.name ?? m.external?.metric.name ?? ''
}

const figureOf = (m: Metric | undefined): MetricValue => {
  const detail = (m && detailOf(m)) as { target?: MetricValue; current?: MetricValue } | undefined
  return detail?.target ?? detail?.current ?? {}
}

const fields = ['averageUtilization', 'averageValue', 'value'] as const

const write = (v: MetricValue, field: (typeof fields)[number]): string =>
  v[field] === undefined ? '' : field === 'averageUtilization' ? `${v[field]}%` : String(v[field])

/**
 * levelsOf returns each metric with its target. Metrics that have not been read have no current
 * value.
 */
export function levelsOf(h: Autoscaler): Level[] {
  const current = h.status?.currentMetrics ?? []
  return (h.spec?.metrics ?? []).map((spec) => {
    const name = metricName(spec)
    const is = figureOf(current.find((c) => c.type === spec.type && metricName(c) === name))
    const target = figureOf(spec)
    const field = fields.find((f) => target[f] !== undefined) ?? 'value'
    const [a, b] = [parseQuantity(String(is[field] ?? '')), parseQuantity(String(target[field] ?? ''))]
    return { name, current: write(is, field), target: write(target, field), share: a === null || !b ? null : a / b }
  })
}

/** frameOf reads an autoscaler. Before its first sync, its numbers are zero. */
export function frameOf(h: Autoscaler, revision: number, at: number): Frame {
  return {
    revision,
    at,
    current: h.status?.currentReplicas ?? 0,
    desired: h.status?.desiredReplicas ?? 0,
    least: h.spec?.minReplicas ?? 1,
    most: h.spec?.maxReplicas ?? 1,
    levels: levelsOf(h),
  }
}

/** scalingForm reads what the picture needs from the log. */
export const scalingForm: Form<Frame> = {
  sampleOf: (c: LogChange) =>
    c.object && c.verb !== 'deleted' ? frameOf(c.object as Autoscaler, c.revision, Date.parse(c.at)) : undefined,
  numbers: [(f) => f.current, (f) => f.desired, highest],
}

/** highest returns the share of the metric that exceeds its target the most, which decides. */
export function highest(f: Frame): number {
  return Math.max(0, ...f.levels.map((l) => l.share ?? 0))
}

/** told removes changes that make no difference in the picture. */
export function told(frames: readonly Frame[]): Frame[] {
  const out: Frame[] = []
  for (const f of frames) {
    const last = out.at(-1)
    if (!last || different(last, f)) out.push(f)
  }
  return out
}

function different(a: Frame, b: Frame): boolean {
  if (a.current !== b.current || a.desired !== b.desired || a.least !== b.least || a.most !== b.most) return true
  return a.levels.length !== b.levels.length || a.levels.some((l, i) => l.share !== b.levels[i]?.share || l.name !== b.levels[i]?.name)
}

/** Decision is a change of the desired number of replicas. */
export interface Decision {
  readonly revision: number
  readonly at: number
  readonly from: number
  readonly to: number
  /** The metrics at the time of the decision. */
  readonly levels: readonly Level[]
}

/** decisionsOf finds the decisions, newest first. There are none before the first sync. */
export function decisionsOf(frames: readonly Frame[]): Decision[] {
  const out: Decision[] = []
  frames.forEach((f, i) => {
    const before = frames[i - 1]
    if (!before || f.desired === 0 || f.desired === before.desired) return
    const from = before.desired === 0 ? f.current : before.desired
    if (from !== f.desired) out.push({ revision: f.revision, at: f.at, from, to: f.desired, levels: f.levels })
  })
  return out.reverse()
}

/** reasonOf returns the reason in the Event about a decision; '' if the Event no longer exists. */
export function reasonOf(d: Decision, events: readonly { readonly seen: number; readonly message: string }[]): string {
  const told = events
    .filter((e) => e.message.startsWith(`New size: ${d.to};`))
    .sort((a, b) => Math.abs(a.seen - d.at) - Math.abs(b.seen - d.at))[0]
  return (
    told?.message
      .split('; ')
      .slice(1)
      .join('; ')
      .replace(/^reason: /, '') ?? ''
  )
}
