import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { ActButton } from './able'
import { failureOf } from './failure'
import type { Access } from './may'

/**
 * DoButton performs an action at once and shows the result or the error beside itself. It is
 * disabled in the past.
 */
export function DoButton(p: { label: string; primary?: boolean; needs: readonly Access[]; run: () => Promise<ComponentChildren> }) {
  const [outcome, setOutcome] = useState<ComponentChildren>(null)
  const [failed, setFailed] = useState<unknown>(null)
  const run = () => {
    setFailed(null)
    p.run().then(setOutcome, setFailed)
  }
  return (
    <span class="do">
      <ActButton needs={p.needs} kind={p.primary ? 'primary' : ''} run={run}>
        {p.label}
      </ActButton>
      {outcome && <span role="status">{outcome}</span>}
      {failed !== null && (
        <span role="alert" class="refusal">
          {failureOf(failed)}
        </span>
      )}
    </span>
  )
}
