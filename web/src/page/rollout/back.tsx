import { useEffect, useState } from 'preact/hooks'
import { accessTo, askAccess, may } from '../../act/may'
import { type Resource, resources } from '../../api/resource'
import { useObject } from '../../api/use'
import { type Deployment, type ReplicaSet, revisionOf } from '../../api/workload'
import { t } from '../../i18n'
import { at } from '../../route'
import { Undo } from './revisions'

/** Back offers to roll back to a revision, if the user may do that. */
export function Back({ resource, deployment, to }: { resource: Resource; deployment: Deployment; to: ReplicaSet | undefined }) {
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

export interface RollBackProps {
  readonly namespace: string
  readonly name: string
  readonly to: ReplicaSet
}

/** RollBack is Back for a Deployment that has not been read yet. */
export function RollBack({ namespace, name, to }: RollBackProps) {
  const resource = resources.value.get('deployments.apps')
  const { object } = useObject<Deployment>(resource, namespace, name)
  return resource && object ? <Back resource={resource} deployment={object} to={to} /> : null
}
