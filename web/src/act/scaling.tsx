import { useState } from 'preact/hooks'
import { t } from '../i18n'
import { Dialog } from '../ui/dialog'
import type { ActionProps } from './action'
import { Failure, useDoing } from './use'
import { scale } from './workload'

/** Scaling asks for another number of replicas, of whatever has one. */
export function Scaling({ resource, object, close }: ActionProps) {
  const doing = useDoing()
  const [replicas, setReplicas] = useState((object.spec as { replicas?: number } | undefined)?.replicas ?? 1)
  const submit = async (e: Event) => {
    e.preventDefault()
    if (await doing.run(scale(resource, object, replicas), t('rollout.scaled', { n: replicas }))) close()
  }
  return (
    <Dialog title={t('rollout.scale')} close={close}>
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
        <Failure of={doing} />
        <button type="submit" class="primary" disabled={doing.busy}>
          {t('rollout.scale')}
        </button>
      </form>
    </Dialog>
  )
}
