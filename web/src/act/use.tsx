import { useState } from 'preact/hooks'
import { t } from '../i18n'
import { announce } from '../ui/announce'
import { failureOf } from './failure'
import { type Act, type Refusal, send } from './workload'

/** Doing is the state of a request that a person has started. */
export interface Doing {
  readonly busy: boolean
  readonly error: string
  /** run sends a request, reports success, and returns whether the server accepted it. */
  readonly run: (act: Act | Refusal, done: string) => Promise<boolean>
  readonly clear: () => void
}

/** useDoing sends one request at a time, and keeps why the last one failed. */
export function useDoing(): Doing {
  const [busy, setBusy] = useState(false)
  const [failed, setFailed] = useState<unknown>(null)
  const run = async (act: Act | Refusal, done: string): Promise<boolean> => {
    setFailed(null)
    if (typeof act === 'string') {
      setFailed(t(`workload.${act}`))
      return false
    }
    setBusy(true)
    try {
      await send(act)
      announce(done)
      return true
    } catch (e) {
      setFailed(e)
      return false
    } finally {
      setBusy(false)
    }
  }
  const error = typeof failed === 'string' ? failed : failed === null ? '' : failureOf(failed, (message) => t('load.refused', { message }))
  return { busy, error, run, clear: () => setFailed(null) }
}

/** Failure shows why a request failed. */
export function Failure({ of }: { of: Doing }) {
  if (of.error === '') return null
  return (
    <p class="notice bad" role="alert">
      {of.error.slice(0, 2000)}
    </p>
  )
}
