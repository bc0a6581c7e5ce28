import { useEffect, useState } from 'preact/hooks'
import { accessTo, askAccess, may } from '../../act/may'
import type { Pod } from '../../api/pod'
import { type Resource, resources } from '../../api/resource'
import { useObject } from '../../api/use'
import { type Deployment, hashLabel, type ReplicaSet, revisionOf } from '../../api/workload'
import { shownNow } from '../../clock/clock'
import { t } from '../../i18n'
import { at, objectHref } from '../../route'
import { plainMessage } from '../object/occurrences'
import { detailOf } from '../overview/pods'
import { causeOf } from './cause'
import { Undo } from './revisions'
import type { PodRows } from './use'

interface Props {
  readonly resource: Resource
  readonly deployment: Deployment
  readonly sets: readonly ReplicaSet[]
  /** The rows of its Pods. */
  readonly pods: PodRows
}

/** Cause says why a rollout does not get on, and offers the way back to the revision before. */
export function Cause({ resource, deployment, sets, pods }: Props) {
  const { namespace = '' } = deployment.metadata
  const ordered = sets.toSorted((a, b) => revisionOf(b) - revisionOf(a))
  const hash = ordered[0]?.metadata.labels?.[hashLabel]
  const cause = pods.places && hash ? causeOf(pods.rows.values(), pods.places, hash, shownNow.value) : null
  const { object } = useObject<Pod>(cause ? resources.value.get('pods') : undefined, namespace, cause?.pod ?? '')
  if (!cause) return null
  const detail = object && detailOf(object, cause.why)
  const message = plainMessage(detail?.message ?? '')
  return (
    <div class="rollout-cause">
      <p>
        <b>{t('rollout.newPods', { n: cause.n })}</b> {t(`why.${detail?.why ?? cause.why}`)}
        {detail?.exitCode != null && ` ${t('overview.exitCode', { code: detail.exitCode })}`}{' '}
        {cause.serving > 0 && t('rollout.serving', { n: cause.serving })}
      </p>
      {message !== '' && <p class="raw">{message.slice(0, 500)}</p>}
      <p class="rollout-actions">
        <Back resource={resource} deployment={deployment} to={ordered[1]} />
        <a href={objectHref('pods', namespace, cause.pod)}>{cause.pod}</a>
      </p>
    </div>
  )
}

/** Back offers to roll back, to whom that is allowed. */
function Back({ resource, deployment, to }: { resource: Resource; deployment: Deployment; to: ReplicaSet | undefined }) {
  const [open, setOpen] = useState(false)
  const needs = accessTo('patch', resource, deployment.metadata.namespace)
  const now = at.value === null
  useEffect(() => {
    if (now) void askAccess([needs])
  }, [resource, deployment.metadata.namespace, now])
  if (!to || !now || deployment.spec.paused || !may([needs])) return null
  return (
    <>
      <button type="button" class="primary" aria-haspopup="dialog" onClick={() => setOpen(true)}>
        {t('rollout.back', { revision: revisionOf(to) })}
      </button>
      {open && <Undo resource={resource} deployment={deployment} to={to} close={() => setOpen(false)} />}
    </>
  )
}
