import { useEffect, useId, useState } from 'preact/hooks'
import { ActButton } from '../../act/able'
import { accessTo } from '../../act/may'
import { Failure, useDoing } from '../../act/use'
import { useVictims, VictimList, why } from '../../act/victims'
import { scale } from '../../act/workload'
import type { KubeObject } from '../../api/object'
import type { Resource } from '../../api/resource'
import { t } from '../../i18n'
import type { Fate } from './pods'

interface Props {
  readonly resource: Resource
  readonly object: KubeObject
  readonly replicas: number
  /** Changes with every change of the family: then the preview is requested again. */
  readonly version: number
  readonly preview: (fates: ReadonlyMap<string, Fate>) => void
}

/**
 * ScaleDownPreview lists the Pods that a smaller number of replicas would delete, in order, and
 * then offers to scale.
 */
export function ScaleDownPreview({ resource, object, replicas, version, preview }: Props) {
  const [text, setText] = useState('')
  const doing = useDoing()
  const id = useId()
  const to = /^\d{1,9}$/.test(text) ? Number(text) : null
  const { namespace } = object.metadata
  const { answer, error } = useVictims(resource, object, replicas, to, version)
  useEffect(() => {
    preview(new Map((answer?.all.victims ?? []).map((v, i) => [v.uid, { place: i + 1, why: why(v.reason, v.message) }])))
  }, [answer])
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
          <ActButton needs={[accessTo('patch', resource, namespace, 'scale')]} kind="primary" busy={doing.busy} run={() => void submit()}>
            {t('tree.scaleTo', { n: answer.to })}
          </ActButton>
          <VictimList all={answer.all} namespace={namespace} />
        </>
      )}
      {error !== '' && (
        <p class="notice bad" role="alert">
          {error.slice(0, 1000)}
        </p>
      )}
      <Failure of={doing} />
    </div>
  )
}
