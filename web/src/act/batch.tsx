import { useState } from 'preact/hooks'
import { ApiError } from '../api/http'
import { fullName, type KubeObject } from '../api/object'
import { t } from '../i18n'
import { failureOf } from './failure'
import { Refusal } from './refusal'

/** maxConcurrent is how many requests of a batch are sent at the same time. */
const maxConcurrent = 4

/** Failed is an object of a batch for which the request failed. */
export interface Failed<T> {
  readonly item: T
  readonly error: Error
}

/** forEach calls run for all items, a few at a time, and returns those for which it failed. */
export async function forEach<T>(items: readonly T[], run: (item: T) => Promise<void>): Promise<Failed<T>[]> {
  const left = [...items]
  const failed: Failed<T>[] = []
  const work = async () => {
    for (let next = left.shift(); next !== undefined; next = left.shift()) {
      const item = next
      await run(item).catch((error: Error) => failed.push({ item, error }))
    }
  }
  await Promise.all(Array.from({ length: maxConcurrent }, work))
  return failed
}

/**
 * Batch is a change to several objects: those that remain, and why the last attempt failed for
 * them.
 */
export interface Batch {
  readonly left: readonly KubeObject[]
  readonly failed: readonly Failed<KubeObject>[]
  readonly busy: boolean
  /** start changes all that are left, and returns how many it changed and whether that is all. */
  readonly start: () => Promise<{ changed: number; all: boolean }>
}

/** useBatch makes the same change to several objects. Those for which it fails stay, so that a person can try again. */
export function useBatch(objects: readonly KubeObject[], run: (object: KubeObject) => Promise<void>): Batch {
  const [left, setLeft] = useState(objects)
  const [failed, setFailed] = useState<readonly Failed<KubeObject>[]>([])
  const [busy, setBusy] = useState(false)
  const start = async () => {
    setBusy(true)
    setFailed([])
    const refused = await forEach(left, run)
    setBusy(false)
    setFailed(refused)
    setLeft(refused.map((f) => f.item))
    return { changed: left.length - refused.length, all: refused.length === 0 }
  }
  return { left, failed, busy, start }
}

/** mostFailures is how many failures of a batch are shown. */
const mostFailures = 20

/** ObjectList lists the objects of a batch. */
export function ObjectList({ of }: { of: readonly KubeObject[] }) {
  return (
    <ul class="plain-list batch">
      {of.map((o) => (
        <li key={o.metadata.uid}>{fullName(o.metadata)}</li>
      ))}
    </ul>
  )
}

/** Failures says why a batch failed: in full for a single object, one line each for several. */
export function Failures({ of: { failed, left } }: { of: Batch }) {
  const [first] = failed
  if (!first) return null
  if (left.length === 1 && first.error instanceof ApiError) return <Refusal error={first.error} />
  return (
    <ul class="notice bad" role="alert">
      {failed.slice(0, mostFailures).map(({ item, error }) => (
        <li key={item.metadata.uid}>{t('act.refused', { what: fullName(item.metadata), message: failureOf(error) })}</li>
      ))}
      {failed.length > mostFailures && <li>{t('delete.unlisted', { n: failed.length - mostFailures })}</li>}
    </ul>
  )
}
