import { useState } from 'preact/hooks'
import { ActButton } from '../../act/able'
import { accessTo } from '../../act/may'
import { Failure, useDoing } from '../../act/use'
import { templateOf, undo } from '../../act/workload'
import { fullName } from '../../api/object'
import type { Resource } from '../../api/resource'
import { changeCauseKey, type Deployment, imagesOf, type ReplicaSet, revisionOf } from '../../api/workload'
import { t } from '../../i18n'
import { at, objectHref } from '../../route'
import { Age } from '../../ui/age'
import { Dialog } from '../../ui/dialog'
import { ManifestDiff } from '../../ui/manifestdiff'
import { Swatch } from './chart'

interface Props {
  readonly resource: Resource
  readonly deployment: Deployment
  readonly sets: readonly ReplicaSet[]
}

/** causeOf returns the cause that kubectl has noted for a revision; '' for none. */
const causeOf = (rs: ReplicaSet): string => rs.metadata.annotations?.[changeCauseKey] ?? ''

/** Revisions lists a Deployment's revisions, newest first, to compare and roll back to. */
export function Revisions({ resource, deployment, sets }: Props) {
  const [compared, compare] = useState<ReplicaSet | null>(null)
  const [undone, setUndone] = useState<ReplicaSet | null>(null)
  const all = sets.toSorted((a, b) => revisionOf(b) - revisionOf(a))
  if (all.length === 0) return null
  const caused = all.some((rs) => causeOf(rs) !== '')
  return (
    <section>
      <h2>{t('rollout.revisions')}</h2>
      <div class="scroll">
        <table class="revisions">
          <thead>
            <tr>
              <th scope="col">#</th>
              <th scope="col">{t('field.name')}</th>
              <th scope="col">{t('rollout.available')}</th>
              <th scope="col">{t('rollout.image')}</th>
              {caused && <th scope="col">{t('rollout.cause')}</th>}
              <th scope="col">{t('field.age')}</th>
              <td />
            </tr>
          </thead>
          <tbody>
            {all.map((rs, i) => (
              <tr key={rs.metadata.uid}>
                <th scope="row">
                  <Swatch revision={revisionOf(rs)} /> {revisionOf(rs)}
                </th>
                <td>
                  <a href={objectHref('replicasets.apps', rs.metadata.namespace, rs.metadata.name)}>{rs.metadata.name}</a>{' '}
                  {i === 0 && <small class="current">{t('rollout.current')}</small>}
                </td>
                <td>{`${rs.status?.availableReplicas ?? 0}/${rs.spec.replicas ?? 1}`}</td>
                <td class="long">{imagesOf(rs.spec.template).join(', ').slice(0, 300)}</td>
                {caused && <td class="long">{causeOf(rs).slice(0, 300)}</td>}
                <td>
                  <Age since={rs.metadata.creationTimestamp} />
                </td>
                <td class="row-actions">
                  {all.length > 1 && (
                    <button
                      type="button"
                      aria-haspopup="dialog"
                      aria-label={`${t('rollout.diff')}: ${revisionOf(rs)}`}
                      onClick={() => compare(rs)}
                    >
                      {t('rollout.diff')}
                    </button>
                  )}
                  {i > 0 && at.value === null && (
                    <ActButton needs={[accessTo('patch', resource, deployment.metadata.namespace)]} dialog run={() => setUndone(rs)}>
                      {t('rollout.undo', { revision: revisionOf(rs) })}
                    </ActButton>
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {compared && <Compare all={all} one={compared} close={() => compare(null)} />}
      {undone && <Undo resource={resource} deployment={deployment} to={undone} close={() => setUndone(null)} />}
    </section>
  )
}

/**
 * Compare shows the differences between two revisions' templates: at first a revision and the
 * previous one.
 */
function Compare({ all, one, close }: { all: readonly ReplicaSet[]; one: ReplicaSet; close: () => void }) {
  const older = all[all.indexOf(one) + 1]
  const [from, setFrom] = useState(revisionOf(older ?? one))
  const [to, setTo] = useState(revisionOf(older ? one : (all[0] ?? one)))
  const template = (n: number) => templateOf(all.find((rs) => revisionOf(rs) === n)?.spec.template ?? {})
  const pick = (label: string, value: number, set: (n: number) => void) => (
    <label>
      {label}{' '}
      <select value={value} onChange={(e) => set(Number(e.currentTarget.value))}>
        {all.map((rs) => (
          <option key={rs.metadata.uid} value={revisionOf(rs)}>
            {t('rollout.revision', { revision: revisionOf(rs) })}
          </option>
        ))}
      </select>
    </label>
  )
  return (
    <Dialog title={t('rollout.diffTitle')} close={close} wide>
      <p class="picks">
        {pick(t('rollout.from'), from, setFrom)} {pick(t('rollout.to'), to, setTo)}
      </p>
      <ManifestDiff before={template(from)} after={template(to)} />
    </Dialog>
  )
}

/** Undo previews a rollback and asks for confirmation. */
export function Undo({
  resource,
  deployment,
  to,
  close,
}: {
  resource: Resource
  deployment: Deployment
  to: ReplicaSet
  close: () => void
}) {
  const doing = useDoing()
  const revision = revisionOf(to)
  const go = async () => {
    if (await doing.run(undo(resource, deployment, to), t('rollout.undone', { revision }))) close()
  }
  return (
    <Dialog title={`${t('rollout.undoTitle', { revision })} · ${fullName(deployment.metadata)}`} close={close} wide>
      <p>{t('rollout.undoAbout', { revision })}</p>
      <ManifestDiff before={templateOf(deployment.spec.template)} after={templateOf(to.spec.template)} />
      <Failure of={doing} />
      <p class="picks">
        <ActButton kind="primary" busy={doing.busy} run={() => void go()}>
          {t('rollout.undo', { revision })}
        </ActButton>
        <button type="button" onClick={close}>
          {t('action.cancel')}
        </button>
      </p>
    </Dialog>
  )
}
