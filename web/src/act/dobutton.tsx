import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { ApiError } from '../api/http'
import { ActButton } from './able'
import type { Access } from './may'

/** DoButton does something at once, and shows beside itself what came of it or why it was refused. In the past there is nothing to do. */
export function DoButton(p: { label: string; primary?: boolean; needs: readonly Access[]; run: () => Promise<ComponentChildren> }) {
  const [outcome, setOutcome] = useState<ComponentChildren>(null)
  const [error, setError] = useState('')
  const run = () => {
    setError('')
    p.run().then(setOutcome, (e: unknown) => setError(e instanceof ApiError ? e.message : String(e)))
  }
  return (
    <span class="do">
      <ActButton needs={p.needs} kind={p.primary ? 'primary' : ''} run={run}>
        {p.label}
      </ActButton>
      {outcome && <span role="status">{outcome}</span>}
      {error !== '' && (
        <span role="alert" class="refusal">
          {error}
        </span>
      )}
    </span>
  )
}
