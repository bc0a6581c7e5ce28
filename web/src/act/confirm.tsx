import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import type { ApiError } from '../api/http'
import { fullName } from '../api/object'
import { t } from '../i18n'
import { Dialog } from '../ui/dialog'
import { ActButton } from './able'
import { type ActionProps, done } from './action'
import { Refusal } from './refusal'
import { evict } from './write'

/** Confirm asks before it does something, and shows the server's error in the dialog. */
export function Confirm(p: {
  title: string
  submit: string
  close: () => void
  run: () => Promise<void>
  danger?: boolean
  disabled?: boolean
  wide?: boolean
  /** Whether it is allowed while the past is shown, because it only reads that moment. */
  then?: boolean
  children: ComponentChildren
}) {
  const [error, setError] = useState<ApiError | null>(null)
  const [busy, setBusy] = useState(false)
  const submit = async (e: Event) => {
    e.preventDefault()
    setBusy(true)
    setError(null)
    try {
      await p.run()
      p.close()
    } catch (e) {
      setError(e as ApiError)
      setBusy(false)
    }
  }
  return (
    <Dialog title={p.title} close={p.close} wide={p.wide ?? false}>
      <form onSubmit={submit}>
        {p.children}
        <Refusal error={error} />
        <div class="row end">
          <button type="button" onClick={p.close}>
            {t('action.cancel')}
          </button>
          <ActButton submit then={p.then === true} kind={p.danger ? 'danger' : 'primary'} busy={busy || p.disabled === true}>
            {p.submit}
          </ActButton>
        </div>
      </form>
    </Dialog>
  )
}

/** Evict is the dialog that evicts a Pod. */
export function Evict(props: ActionProps) {
  const m = props.object.metadata
  const run = async () => {
    await evict(props.resource, m)
    done(t('pod.evicted'), props)
  }
  return (
    <Confirm title={t('pod.evictTitle', { name: fullName(m) })} submit={t('act.evict')} close={props.close} run={run} danger>
      <p>{t('pod.evictAbout')}</p>
    </Confirm>
  )
}
