import { useState } from 'preact/hooks'
import { ActButton } from '../../act/able'
import { accessTo } from '../../act/may'
import { Failure, useDoing } from '../../act/use'
import { restore } from '../../act/workload'
import type { KubeObject } from '../../api/object'
import { fullName } from '../../api/object'
import type { Resource } from '../../api/resource'
import { historyLabel, numbersOf, type Revision } from '../../api/sets'
import { changeCauseKey, imagesOf } from '../../api/workload'
import { t } from '../../i18n'
import { at } from '../../route'
import { Age } from '../../ui/age'
import { Dialog } from '../../ui/dialog'
import { ManifestDiff } from '../../ui/manifestdiff'
import { Swatch } from '../rollout/chart'
import type { Mark } from '../tree/mark'
import { templateAt, templateIn } from './template'
import '../rollout/rollout.css'

interface Props {
  readonly resource: Resource
  readonly object: KubeObject
  /** Newest first. */
  readonly revisions: readonly Revision[]
  readonly pods: readonly Mark[]
}

/**
 * History lists the revisions of a set, newest first, with their numbers of Pods, to compare and
 * roll back to.
 */
export function History({ resource, object, revisions, pods }: Props) {
  const [shown, show] = useState<{ revision: Revision; undo: boolean } | null>(null)
  if (revisions.length === 0) return null
  const numbers = numbersOf(revisions)
  const counts = new Map<number, number>()
  for (const p of pods) {
    const n = numbers.get(p.meta.labels?.[historyLabel] ?? '') ?? 0
    counts.set(n, (counts.get(n) ?? 0) + 1)
  }
  return (
    <section>
      <h2>{t('rollout.revisions')}</h2>
      <div class="scroll">
        <table class="revisions">
          <thead>
            <tr>
              <th scope="col">#</th>
              <th scope="col">{t('field.name')}</th>
              <th scope="col">Pods</th>
              <th scope="col">{t('rollout.image')}</th>
              <th scope="col">{t('rollout.cause')}</th>
              <th scope="col">{t('field.age')}</th>
              <td />
            </tr>
          </thead>
          <tbody>
            {revisions.map((r, i) => (
              <tr key={r.metadata.uid}>
                <th scope="row">
                  <Swatch revision={r.revision ?? 0} /> {r.revision}
                </th>
                <td>
                  {r.metadata.name} {i === 0 && <small class="current">{t('rollout.current')}</small>}
                </td>
                <td>{counts.get(r.revision ?? 0) ?? 0}</td>
                <td class="long">{imagesOf(r.data?.spec?.template).join(', ').slice(0, 300)}</td>
                <td class="long">{(r.metadata.annotations?.[changeCauseKey] ?? '').slice(0, 300)}</td>
                <td>
                  <Age since={r.metadata.creationTimestamp} />
                </td>
                <td class="row-actions">
                  {i > 0 && (
                    <button
                      type="button"
                      aria-haspopup="dialog"
                      aria-label={`${t('rollout.diff')}: ${r.revision}`}
                      onClick={() => show({ revision: r, undo: false })}
                    >
                      {t('rollout.diff')}
                    </button>
                  )}
                  {i > 0 && at.value === null && (
                    <ActButton
                      needs={[accessTo('patch', resource, object.metadata.namespace)]}
                      dialog
                      run={() => show({ revision: r, undo: true })}
                    >
                      {t('rollout.undo', { revision: r.revision ?? 0 })}
                    </ActButton>
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {shown && <Look resource={resource} object={object} {...shown} close={() => show(null)} />}
    </section>
  )
}

/** Look shows how a revision differs from the current template, and rolls back to it on request. */
function Look({
  resource,
  object,
  revision,
  undo,
  close,
}: {
  resource: Resource
  object: KubeObject
  revision: Revision
  undo: boolean
  close: () => void
}) {
  const doing = useDoing()
  const values = { revision: revision.revision ?? 0 }
  const go = async () => {
    if (await doing.run(restore(resource, object, revision), t('rollout.undone', values))) close()
  }
  const [before, after] = undo ? [templateIn(object), templateAt(revision)] : [templateAt(revision), templateIn(object)]
  return (
    <Dialog title={undo ? `${t('rollout.undoTitle', values)} · ${fullName(object.metadata)}` : t('rollout.diffTitle')} close={close} wide>
      {undo && <p>{t('rollout.undoAbout', values)}</p>}
      <ManifestDiff before={before} after={after} />
      <Failure of={doing} />
      {undo && (
        <p class="picks">
          <ActButton kind="primary" busy={doing.busy} run={() => void go()}>
            {t('rollout.undo', values)}
          </ActButton>
          <button type="button" onClick={close}>
            {t('action.cancel')}
          </button>
        </p>
      )}
    </Dialog>
  )
}
