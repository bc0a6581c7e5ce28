import { useState } from 'preact/hooks'
import { ApiError } from '../api/http'
import { t } from '../i18n'
import { announce } from '../ui/announce'
import { type Act, type Refusal, send } from './workload'

/** Doing is a request that a person has started, and what became of it. */
export interface Doing {
  readonly busy: boolean
  readonly error: string
  /** run sends a request, says what was done, and tells whether the server took it. */
  readonly run: (act: Act | Refusal, done: string) => Promise<boolean>
  readonly clear: () => void
}

/** useDoing sends one request at a time, and keeps why the last one failed. */
export function useDoing(): Doing {
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState('')
  const run = async (act: Act | Refusal, done: string): Promise<boolean> => {
    setError('')
    if (typeof act === 'string') {
      setError(t(`workload.${act}`))
      return false
    }
    setBusy(true)
    try {
      await send(act)
      announce(done)
      return true
    } catch (e) {
      setError(e instanceof ApiError && e.code === 0 ? t('workload.unreachable') : t('load.refused', { message: (e as Error).message }))
      return false
    } finally {
      setBusy(false)
    }
  }
  return { busy, error, run, clear: () => setError('') }
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
