import type { KubeObject } from '../api/object'
import type { Key } from '../i18n'
import { t } from '../i18n'
import { Age } from '../ui/age'

/**
 * reasonsToStay returns what an object that is being deleted is waiting for.
 *
 * Source: https://kubernetes.io/docs/concepts/overview/working-with-objects/finalizers/
 */
export function reasonsToStay(object: KubeObject): { key: Key; values: Record<string, string> }[] {
  const finalizers = [...(object.metadata.finalizers ?? []), ...((object.spec as { finalizers?: string[] } | undefined)?.finalizers ?? [])]
  const found = finalizers.slice(0, 20).map((name) => ({ key: known[name] ?? ('going.finalizer' as const), values: { name } }))
  if (found.length === 0 && object.kind === 'Pod') return [{ key: 'going.grace', values: {} }]
  return found
}

const known: Readonly<Record<string, Key>> = {
  foregroundDeletion: 'going.foreground',
  orphan: 'going.orphan',
  kubernetes: 'going.namespace',
  'batch.kubernetes.io/job-tracking': 'going.job',
  'kubernetes.io/pvc-protection': 'going.inUse',
  'kubernetes.io/pv-protection': 'going.inUse',
}

/** Going says since when an object is being deleted, and what it is waiting for. */
export function Going({ object }: { object: KubeObject }) {
  const since = object.metadata.deletionTimestamp
  if (since === undefined) return null
  const reasons = reasonsToStay(object)
  return (
    <div class="notice warn" role="status">
      {t('going.since')} <Age since={since} />
      {reasons.length > 0 && (
        <ul>
          {reasons.map((r) => (
            <li key={r.values.name ?? r.key}>{t(r.key, r.values)}</li>
          ))}
        </ul>
      )}
    </div>
  )
}
