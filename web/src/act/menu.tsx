import { useEffect, useState } from 'preact/hooks'
import { outage } from '../api/link'
import { t } from '../i18n'
import { at } from '../route'
import { Icon } from '../ui/icon'
import { closeMenu, Menu } from '../ui/menu'
import { type Action, start, type Target } from './action'
import { actions } from './actions'
import { askAccess, may } from './may'
import { Past } from './past'
import './act.css'

/** ActionMenu is the menu of an object's actions. It is empty when the past is shown. */
export function ActionMenu({ resource, object }: Target) {
  const [opened, setOpened] = useState(false)
  return (
    <Menu
      face={
        <>
          {t('act.menu')} <Icon of="down" />
        </>
      }
      kind="end actions"
      opened={() => setOpened(true)}
    >
      {at.value !== null ? <Past /> : opened && <Entries resource={resource} object={object} />}
    </Menu>
  )
}

/** Entries lists the actions that apply to an object and that the user may perform. */
export function Entries({ resource, object }: Target) {
  const target = { resource, object }
  const fitting = actions.filter((a) => a.fits(target))
  const ask = at.value === null && outage.value === null
  useEffect(() => {
    if (ask) void askAccess(fitting.flatMap((a) => a.needs(target)))
  }, [ask, fitting.map((a) => a.id).join()])
  return (
    <ul>
      {fitting.map((a) => (
        <Entry key={a.id} action={a} target={target} />
      ))}
      <Withheld of={fitting} target={target} />
    </ul>
  )
}

function Entry({ action, target }: { action: Action; target: Target }) {
  if (may(action.needs(target)) === false) return null
  const cls = action.danger ? 'plain danger' : 'plain'
  if (action.to) {
    return (
      <li>
        <a href={action.to(target)}>{t(action.title)}</a>
      </li>
    )
  }
  return (
    <li>
      <button
        type="button"
        class={cls}
        disabled={may(action.needs(target)) !== true || outage.value !== null}
        title={outage.value === null ? undefined : t('outage.off')}
        onClick={(e) => {
          const menu = e.currentTarget.closest('details')
          if (menu) closeMenu(menu)
          void start(action, target)
        }}
      >
        {t(action.title)}
        {action.dialog ? '…' : ''}
      </button>
    </li>
  )
}

/** Withheld says how many actions are hidden for lack of rights. */
function Withheld({ of, target }: { of: readonly Action[]; target: Target }) {
  const n = of.filter((a) => may(a.needs(target)) === false).length
  return n === 0 ? null : <li class="reason">{t('act.withheld', { n })}</li>
}
