import { templateOf } from '../../act/workload'
import type { KubeObject } from '../../api/object'
import type { Revision } from '../../api/sets'
import type { PodTemplate } from '../../api/workload'

/** templateIn returns the current template of a set. */
export const templateIn = (o: KubeObject): PodTemplate =>
  inOrder(templateOf((o.spec as { template?: PodTemplate } | undefined)?.template ?? {})) as PodTemplate

/**
 * templateAt returns the template of a revision. It is stored as a patch that replaces the whole
 * template.
 */
export function templateAt(r: Revision): PodTemplate {
  const { $patch: _, ...template } = (r.data?.spec?.template ?? {}) as PodTemplate & { $patch?: string }
  return inOrder(templateOf(template)) as PodTemplate
}

/**
 * inOrder sorts the fields of a value by name, as in stored revisions, so that order makes no
 * difference.
 */
function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder)
  if (typeof value !== 'object' || value === null) return value
  const fields = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(fields.map(([key, v]) => [key, inOrder(v)]))
}
