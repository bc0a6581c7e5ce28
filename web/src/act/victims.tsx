import { useEffect, useState } from 'preact/hooks'
import type { KubeObject } from '../api/object'
import type { Own } from '../api/own'
import { readJSON } from '../api/read'
import type { Resource } from '../api/resource'
import { type Key, t } from '../i18n'
import { objectHref } from '../route'
import { unreadOf } from '../ui/unread'

/** ScaleDown is the server's preview of a scale-down. Source: Rowlock's operation GET /rowlock/v1/scaledown. */
export type ScaleDown = Own<'ScaleDown'>

/**
 * reasons maps the server's rules for choosing Pods to texts; unknown rules are shown as the server
 * words them.
 */
const reasons: Readonly<Record<ScaleDown['victims'][number]['reason'], Key>> = {
  NotAssigned: 'tree.whyNotAssigned',
  Phase: 'tree.whyPhase',
  NotReady: 'tree.whyNotReady',
  DeletionCost: 'tree.whyDeletionCost',
  DoubledUp: 'tree.whyDoubledUp',
  ReadyLater: 'tree.whyReadyLater',
  MoreRestarts: 'tree.whyMoreRestarts',
  CreatedLater: 'tree.whyCreatedLater',
  SmallerUID: 'tree.whySmallerUID',
  NoIndex: 'tree.whyNoIndex',
  SameIndex: 'tree.whySameIndex',
  OtherOrdinal: 'tree.whyOtherOrdinal',
  NoneIsToStay: 'tree.whyNoneIsToStay',
  OwnerHasEnded: 'tree.whyOwnerHasEnded',
}

/** why says why a Pod is deleted before others. */
export function why(reason: string, message: string): string {
  const key = Object.hasOwn(reasons, reason) ? reasons[reason as keyof typeof reasons] : undefined
  return key ? t(key) : message
}

/** previewed are the kinds for which the server lists the Pods that a scale-down deletes. */
const previewed = ['deployments.apps', 'replicasets.apps', 'replicationcontrollers', 'statefulsets.apps', 'jobs.batch']

/**
 * Victims is the preview for one number of replicas; null until it is known, or if no Pod is
 * deleted.
 */
export interface Victims {
  readonly answer: { readonly to: number; readonly all: ScaleDown } | null
  readonly error: string
}

/**
 * useVictims asks which Pods a smaller number of replicas deletes, in order. It asks again when
 * `version` changes, at most twice a second. If `to` is null, it asks nothing.
 */
export function useVictims(resource: Resource, object: KubeObject, replicas: number, to: number | null, version: unknown): Victims {
  const [answer, setAnswer] = useState<Victims['answer']>(null)
  const [error, setError] = useState('')
  const { namespace, name } = object.metadata
  useEffect(() => {
    setError('')
    if (to === null || to >= replicas || !previewed.includes(resource.id)) {
      setAnswer(null)
      return
    }
    const stop = new AbortController()
    const ask = async () => {
      try {
        const query = { resource: resource.id, namespace, name, replicas: to, limit: 10_000 }
        setAnswer({ to, all: await readJSON<ScaleDown>('/rowlock/v1/scaledown', { signal: stop.signal, query }) })
      } catch (e) {
        if (!stop.signal.aborted) setError(unreadOf(e))
      }
    }
    const timer = setTimeout(() => void ask(), answer?.to === to ? 500 : 150)
    return () => {
      clearTimeout(timer)
      stop.abort()
    }
  }, [to, replicas, version, resource.id, namespace, name])
  return { answer, error }
}

/** mostListed is how many victims are listed. */
const mostListed = 50

/** VictimList lists the Pods that are deleted, and why each is deleted before the others. */
export function VictimList({ all, namespace }: { all: ScaleDown; namespace: string | undefined }) {
  return (
    <>
      <p role="status">{t('tree.victims', { n: all.victimsCount })}</p>
      <ol class="victims">
        {all.victims.slice(0, mostListed).map((v) => (
          <li key={v.uid}>
            <a href={objectHref('pods', namespace, v.name)}>{v.name}</a> <span>{why(v.reason, v.message)}</span>
          </li>
        ))}
      </ol>
      {all.victimsCount > mostListed && <p>{t('tree.more', { n: all.victimsCount - mostListed })}</p>}
    </>
  )
}
