import type { KubeObject } from '../api/object'
import { shownNow } from '../clock/clock'
import { t } from '../i18n'
import { Dialog } from '../ui/dialog'
import { toast } from '../ui/toast'
import { ActButton } from './able'
import { Failures, ObjectList, useBatch } from './batch'
import type { DeletionProps } from './deletion'
import { accessTo } from './may'
import { restart, send } from './workload'

/** BulkRestart is the dialog that restarts several workloads. */
export function BulkRestart({ resource, objects, close }: DeletionProps) {
  const run = async (object: KubeObject) => {
    const act = restart(resource, object, shownNow.peek())
    if (typeof act === 'string') throw new Error(t(`workload.${act}`))
    await send(act)
  }
  const batch = useBatch(objects, run)
  const submit = async (e: Event) => {
    e.preventDefault()
    const { changed, all } = await batch.start()
    if (changed > 0) toast({ state: 'ok', text: t('bulk.restarted', { n: changed }) })
    if (all) close()
  }
  const namespaces = [...new Set(batch.left.map((o) => o.metadata.namespace))].slice(0, 20)
  return (
    <Dialog title={t('bulk.restartTitle', { n: objects.length })} close={close} wide>
      <form onSubmit={submit}>
        <ObjectList of={batch.left} />
        <Failures of={batch} />
        <div class="row end">
          <button type="button" onClick={close}>
            {t('action.cancel')}
          </button>
          <ActButton submit kind="primary" needs={namespaces.map((ns) => accessTo('patch', resource, ns))} busy={batch.busy}>
            {t('rollout.restart')}
          </ActButton>
        </div>
      </form>
    </Dialog>
  )
}
