import { templateOf } from '../../act/workload'
import type { KubeObject } from '../../api/object'
import type { Revision } from '../../api/sets'
import type { PodTemplate } from '../../api/workload'

/** templateIn is the template that a set has now. */
export const templateIn = (o: KubeObject): PodTemplate =>
  inOrder(templateOf((o.spec as { template?: PodTemplate } | undefined)?.template ?? {})) as PodTemplate

/** templateAt is the template of a revision. It is kept as a patch, which says of itself that it replaces all. */
export function templateAt(r: Revision): PodTemplate {
  const { $patch: _, ...template } = (r.data?.spec?.template ?? {}) as PodTemplate & { $patch?: string }
  return inOrder(templateOf(template)) as PodTemplate
}

/** inOrder sorts the fields of a value by name: revisions are kept so, and differences should not be about their order. */
function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder)
  if (typeof value !== 'object' || value === null) return value
  const fields = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(fields.map(([key, v]) => [key, inOrder(v)]))
}
