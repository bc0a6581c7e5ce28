import { useEffect, useState } from 'preact/hooks'
import { accessTo, askAccess, may } from '../../act/may'
import type { Pod } from '../../api/pod'
import { type Resource, resources } from '../../api/resource'
import { useObject, useTable } from '../../api/use'
import { type Deployment, formatSelector, hashLabel, type ReplicaSet, revisionOf } from '../../api/workload'
import { shownNow } from '../../clock/clock'
import { t } from '../../i18n'
import { at, objectHref } from '../../route'
import { plainMessage } from '../object/occurrences'
import { detailOf, placesOf } from '../overview/pods'
import { causeOf } from './cause'
import { Undo } from './revisions'

interface Props {
  readonly resource: Resource
  readonly deployment: Deployment
  readonly sets: readonly ReplicaSet[]
}

/** Cause says why a rollout does not get on, and offers the way back to the revision before. */
export function Cause({ resource, deployment, sets }: Props) {
  const pods = resources.value.get('pods')
  const { namespace = '' } = deployment.metadata
  const rows = useTable(pods ? { resource: pods, namespace, labels: formatSelector(deployment.spec.selector) } : null)
  const ordered = sets.toSorted((a, b) => revisionOf(b) - revisionOf(a))
  const places = placesOf(rows.columns)
  const hash = ordered[0]?.metadata.labels?.[hashLabel]
  const cause = places && hash ? causeOf(rows.items.values(), places, hash, shownNow.value) : null
  const { object } = useObject<Pod>(cause ? pods : undefined, namespace, cause?.pod ?? '')
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
