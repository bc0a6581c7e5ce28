import type { ComponentChildren } from 'preact'
import { useEffect } from 'preact/hooks'
import { outage } from '../api/link'
import { t } from '../i18n'
import { at } from '../route'
import { type Access, askAccess, may } from './may'

/**
 * hindrance is why something cannot be done: the past is shown, the server does not answer, or the rights are missing; '' if it can. What
 * only reads the past, as making a fork of it does, can be done there (`then`).
 */
export function hindrance(needs: readonly Access[] = [], then = false): string {
  if (at.value !== null && !then) return t('act.past')
  if (outage.value !== null) return t('outage.off')
  const missing = needs.find((a) => may([a]) === false)
  return missing ? denied(missing) : ''
}

/** denied says which right is missing. */
export function denied(a: Access): string {
  const what = `${a.resource ?? a.path ?? ''}${a.subresource ? `/${a.subresource}` : ''}`
  return t(a.namespace ? 'right.deniedIn' : 'right.denied', { verb: a.verb, what, namespace: a.namespace ?? '' })
}

/** useHindrance asks the server for the rights that something needs, and is why it cannot be done; '' if it can, or while that is not known. */
export function useHindrance(needs: readonly Access[] = [], then = false): string {
  const now = (at.value === null || then) && outage.value === null
  useEffect(() => {
    if (now) void askAccess(needs)
  }, [JSON.stringify(needs), now])
  return hindrance(needs, then)
}

/** ActButton is a button that changes the cluster, or opens the dialog that does. Where that cannot be done it is off, and says why. */
export function ActButton(p: {
  needs?: readonly Access[]
  kind?: 'primary' | 'danger' | ''
  busy?: boolean
  dialog?: boolean
  submit?: boolean
  then?: boolean
  run?: () => void
  children: ComponentChildren
}) {
  const why = useHindrance(p.needs, p.then)
  return (
    <button
      type={p.submit ? 'submit' : 'button'}
      class={p.kind ?? ''}
      disabled={p.busy === true || why !== ''}
      title={why === '' ? undefined : why}
      aria-description={why === '' ? undefined : why}
      aria-haspopup={p.dialog ? 'dialog' : undefined}
      onClick={p.run}
    >
      {p.children}
    </button>
  )
}
