import { useState } from 'preact/hooks'
import { fullName } from '../api/object'
import { t } from '../i18n'
import { Dialog } from '../ui/dialog'
import { ActButton } from './able'
import type { ActionProps } from './action'
import { accessTo } from './may'
import { Failure, useDoing } from './use'
import { useVictims, VictimList } from './victims'
import { scale } from './workload'

/**
 * Scaling is the dialog that scales any workload, and previews which Pods a smaller number deletes.
 */
export function Scaling({ resource, object, close }: ActionProps) {
  const doing = useDoing()
  const now = (object.spec as { replicas?: number } | undefined)?.replicas ?? 1
  const [replicas, setReplicas] = useState(now)
  const m = object.metadata
  const { answer } = useVictims(resource, object, now, Number.isInteger(replicas) ? replicas : null, m.resourceVersion)
  const submit = async (e: Event) => {
    e.preventDefault()
    if (await doing.run(scale(resource, object, replicas), t('rollout.scaled', { n: replicas }))) close()
  }
  return (
    <Dialog title={`${t('rollout.scale')}: ${resource.kind} ${fullName(m)}`} close={close}>
      <form class="form" onSubmit={(e) => void submit(e)}>
        <label>
          {t('rollout.replicas')}
          <input
            type="number"
            min={0}
            max={2147483647}
            required
            value={replicas}
            onInput={(e) => setReplicas(e.currentTarget.valueAsNumber)}
          />
        </label>
        {answer && answer.to === replicas && <VictimList all={answer.all} namespace={m.namespace} />}
        <Failure of={doing} />
        <div class="row end">
          <button type="button" onClick={close}>
            {t('action.cancel')}
          </button>
          <ActButton submit needs={[accessTo('patch', resource, m.namespace, 'scale')]} kind="primary" busy={doing.busy}>
            {t('rollout.scale')}
          </ActButton>
        </div>
      </form>
    </Dialog>
  )
}
