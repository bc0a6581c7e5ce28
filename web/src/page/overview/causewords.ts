import { t } from '../../i18n'
import type { Detail } from './detail'
import type { Problem, Why } from './problem'

/**
 * Trouble is the content of one sentence about Pods: their problem, how many have it, and how many
 * old Pods are ready if only new ones have it.
 */
export interface Trouble extends Pick<Problem, 'count' | 'values'> {
  readonly why: Why
  readonly fresh?: { readonly serving: number }
}

/** said lists the problems whose texts contain the number of Pods. */
const said = [
  'pull',
  'imageName',
  'crash',
  'config',
  'memory',
  'evicted',
  'podFailed',
  'unscheduled',
  'unschedulable',
  'notReady',
  'podStuck',
] as const

/**
 * causeText describes a problem, with details of one of the Pods: "3 new Pods cannot pull
 * nginx:1.161 (not found). 5 old Pods are ready."
 */
export function causeText(of: Trouble, detail: Detail | undefined): string {
  const why = said.find((w) => w === (detail?.why ?? of.why))
  const named = why !== 'pull' && why !== 'imageName'
  if (!why || (!named && !detail?.image)) return t(`why.${detail?.why ?? of.why}`, of.values)
  const n = of.count
  const pods = t(of.fresh ? 'cause.newPods' : 'overview.pods', { n })
  const image = `${detail?.image ?? ''}${detail?.refusal ? ` (${detail.refusal})` : ''}`
  const parts = [t(`cause.${why}`, { n, pods, image })]
  if (detail?.exitCode != null) parts.push(t('overview.exitCode', { code: detail.exitCode }))
  if (of.fresh && of.fresh.serving > 0) parts.push(t('rollout.serving', { n: of.fresh.serving }))
  return parts.join(' ')
}
