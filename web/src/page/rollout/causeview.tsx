import type { Pod } from '../../api/pod'
import { type Resource, resources } from '../../api/resource'
import { useObject } from '../../api/use'
import { type Deployment, hashLabel, type ReplicaSet, revisionOf } from '../../api/workload'
import { shownNow } from '../../clock/clock'
import { objectHref } from '../../route'
import { plainMessage } from '../object/occurrences'
import { causeText } from '../overview/causewords'
import { detailOf } from '../overview/detail'
import { Back } from './back'
import { causeOf } from './cause'
import type { PodRows } from './use'

interface Props {
  readonly resource: Resource
  readonly deployment: Deployment
  readonly sets: readonly ReplicaSet[]
  /** The rows of its Pods. */
  readonly pods: PodRows
}

/** Cause says why a rollout is not progressing, and offers to roll back. */
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
        <b>{causeText({ why: cause.why, count: cause.n, fresh: { serving: cause.serving } }, detail)}</b>
      </p>
      {message !== '' && <p class="raw">{message.slice(0, 500)}</p>}
      <p class="rollout-actions">
        <Back resource={resource} deployment={deployment} to={ordered[1]} />
        <a href={objectHref('pods', namespace, cause.pod)}>{cause.pod}</a>
      </p>
    </div>
  )
}
