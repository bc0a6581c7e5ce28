import { useState } from 'preact/hooks'
import { ActButton } from '../../act/able'
import { accessTo } from '../../act/may'
import { Scaling } from '../../act/scaling'
import { Failure, useDoing } from '../../act/use'
import { pause, restart, setImage } from '../../act/workload'
import { fullName } from '../../api/object'
import type { Resource } from '../../api/resource'
import type { Deployment } from '../../api/workload'
import { shownNow } from '../../clock/clock'
import { t } from '../../i18n'
import { at } from '../../route'
import { Dialog } from '../../ui/dialog'

interface Props {
  readonly resource: Resource
  readonly deployment: Deployment
}

/** Actions are the actions on a Deployment. */
export function Actions({ resource, deployment }: Props) {
  const doing = useDoing()
  const [open, setOpen] = useState<'scale' | 'image' | null>(null)
  if (at.value !== null) return <p class="notice">{t('workload.past')}</p>
  const paused = deployment.spec.paused === true
  const close = () => setOpen(null)
  const { namespace } = deployment.metadata
  const needs = [accessTo('patch', resource, namespace)]
  return (
    <section aria-label={t('rollout.actions')}>
      <div class="rollout-actions">
        <ActButton
          needs={needs}
          busy={doing.busy}
          run={() => void doing.run(pause(resource, deployment, !paused), t(paused ? 'rollout.resumedNow' : 'rollout.pausedNow'))}
        >
          {t(paused ? 'rollout.resume' : 'rollout.pause')}
        </ActButton>
        <ActButton
          needs={needs}
          busy={doing.busy}
          run={() => void doing.run(restart(resource, deployment, shownNow.value), t('rollout.restarted'))}
        >
          {t('rollout.restart')}
        </ActButton>
        <ActButton needs={[accessTo('patch', resource, namespace, 'scale')]} dialog run={() => setOpen('scale')}>
          {t('rollout.scale')}…
        </ActButton>
        <ActButton needs={needs} dialog run={() => setOpen('image')}>
          {t('rollout.setImage')}…
        </ActButton>
      </div>
      <Failure of={doing} />
      {open === 'scale' && <Scaling resource={resource} object={deployment} close={close} />}
      {open === 'image' && <ImageDialog resource={resource} deployment={deployment} close={close} />}
    </section>
  )
}

function ImageDialog({ resource, deployment, close }: Props & { close: () => void }) {
  const doing = useDoing()
  const containers = deployment.spec.template.spec?.containers ?? []
  const [container, setContainer] = useState(containers[0]?.name ?? '')
  const [image, setImageText] = useState(containers[0]?.image ?? '')
  const choose = (name: string) => {
    setContainer(name)
    setImageText(containers.find((c) => c.name === name)?.image ?? '')
  }
  const submit = async (e: Event) => {
    e.preventDefault()
    if (await doing.run(setImage(resource, deployment, container, image.trim()), t('rollout.imageSet', { container, image }))) close()
  }
  return (
    <Dialog title={`${t('rollout.setImage')}: Deployment ${fullName(deployment.metadata)}`} close={close}>
      <form class="form" onSubmit={(e) => void submit(e)}>
        <label>
          {t('rollout.container')}
          <select value={container} onChange={(e) => choose(e.currentTarget.value)}>
            {containers.map((c) => (
              <option key={c.name} value={c.name}>
                {c.name}
              </option>
            ))}
          </select>
        </label>
        <label>
          {t('rollout.image')}
          <input type="text" required value={image} onInput={(e) => setImageText(e.currentTarget.value)} spellcheck={false} />
        </label>
        <Failure of={doing} />
        <div class="row end">
          <button type="button" onClick={close}>
            {t('action.cancel')}
          </button>
          <ActButton submit kind="primary" busy={doing.busy}>
            {t('rollout.setImage')}
          </ActButton>
        </div>
      </form>
    </Dialog>
  )
}
