import { useEffect, useId, useState } from 'preact/hooks'
import { Failure, useDoing } from '../../act/use'
import { scale } from '../../act/workload'
import { ApiError, getJSON } from '../../api/http'
import type { KubeObject } from '../../api/object'
import type { Resource } from '../../api/resource'
import { type Key, t } from '../../i18n'
import { objectHref } from '../../route'
import type { Fate } from './pods'

/** ScaleDown is what the server foretells. Source: Rowlock's operation GET /rowlock/v1/scaledown. */
interface ScaleDown {
  readonly victims: readonly { readonly name: string; readonly uid: string; readonly reason: string; readonly message: string }[]
  readonly victimsCount: number
}

/** reasons are the rules that have words here; another is said in the server's. */
const reasons: Readonly<Record<string, Key>> = {
  NotAssigned: 'tree.whyNotAssigned',
  Phase: 'tree.whyPhase',
  NotReady: 'tree.whyNotReady',
  DeletionCost: 'tree.whyDeletionCost',
  DoubledUp: 'tree.whyDoubledUp',
  ReadyLater: 'tree.whyReadyLater',
  MoreRestarts: 'tree.whyMoreRestarts',
  CreatedLater: 'tree.whyCreatedLater',
  SmallerUID: 'tree.whySmallerUID',
  OtherOrdinal: 'tree.whyOtherOrdinal',
  NoneIsToStay: 'tree.whyNoneIsToStay',
}

/** why says why a Pod goes before others. */
export function why(reason: string, message: string): string {
  const key = Object.hasOwn(reasons, reason) ? reasons[reason] : undefined
  return key ? t(key) : message
}

/** mostListed is how many victims are listed in words; all are marked. */
const mostListed = 50

interface Props {
  readonly resource: Resource
  readonly object: KubeObject
  readonly replicas: number
  /** Changes with every change of the family: what is foretold is asked for again. */
  readonly version: number
  readonly foretold: (fates: ReadonlyMap<string, Fate>) => void
}

/** ScaleDown shows whom a smaller number of replicas would cost, in their order, and only then offers to scale. */
export function ScaleDownPreview({ resource, object, replicas, version, foretold }: Props) {
  const [text, setText] = useState('')
  const [answer, setAnswer] = useState<{ to: number; all: ScaleDown } | null>(null)
  const [error, setError] = useState('')
  const doing = useDoing()
  const id = useId()
  const to = /^\d{1,9}$/.test(text) ? Number(text) : null
  const { namespace, name } = object.metadata
  useEffect(() => {
    setError('')
    if (to === null || to >= replicas) {
      setAnswer(null)
      foretold(new Map())
      return
    }
    const stop = new AbortController()
    const ask = async () => {
      try {
        const all = await getJSON<ScaleDown>('/rowlock/v1/scaledown', {
          signal: stop.signal,
          query: { resource: resource.id, namespace, name, replicas: to, limit: 10_000 },
        })
        setAnswer({ to, all })
        foretold(new Map(all.victims.map((v, i) => [v.uid, { place: i + 1, why: why(v.reason, v.message) }])))
      } catch (e) {
        if (!stop.signal.aborted) setError(e instanceof ApiError ? e.message : String(e))
      }
    }
    // The family may change with every frame; a person does not read so fast.
    const timer = setTimeout(() => void ask(), answer?.to === to ? 500 : 150)
    return () => {
      clearTimeout(timer)
      stop.abort()
    }
  }, [to, replicas, version, resource.id, namespace, name])
  const submit = async () => {
    if (to !== null && (await doing.run(scale(resource, object, to), t('rollout.scaled', { n: to })))) setText('')
  }
  const ready = answer !== null && answer.to === to
  return (
    <div class="scaledown">
      <label for={id}>{t('tree.ifScaled')}</label>{' '}
      <input id={id} type="number" min={0} value={text} placeholder={String(replicas)} onInput={(e) => setText(e.currentTarget.value)} />{' '}
      {to !== null && to >= replicas && <span>{t('tree.noneGoes')}</span>}
      {ready && (
        <>
          <button type="button" class="primary" disabled={doing.busy} onClick={() => void submit()}>
            {t('tree.scaleTo', { n: answer.to })}
          </button>
          <p role="status">{t('tree.victims', { n: answer.all.victimsCount })}</p>
          <ol class="victims">
            {answer.all.victims.slice(0, mostListed).map((v) => (
              <li key={v.uid}>
                <a href={objectHref('pods', namespace, v.name)}>{v.name}</a> <span>{why(v.reason, v.message)}</span>
              </li>
            ))}
          </ol>
          {answer.all.victimsCount > mostListed && <p>{t('tree.more', { n: answer.all.victimsCount - mostListed })}</p>}
        </>
      )}
      {error !== '' && (
        <p class="notice bad" role="alert">
          {t('load.refused', { message: error.slice(0, 1000) })}
        </p>
      )}
      <Failure of={doing} />
    </div>
  )
}
