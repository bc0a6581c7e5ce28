import { useRef, useState } from 'preact/hooks'
import { type Resource, resources } from '../api/resource'
import { t } from '../i18n'
import { href, tableHref } from '../route'
import { useKeys } from '../ui/keys'
import { Menu } from '../ui/menu'
import { findKinds, titleOf } from './kind'
import { namespaceFor } from './namespace'

/** KindMenu lists every kind that can be listed. One finds a kind by typing a part of its name, or the short name that kubectl has for it. */
export function KindMenu() {
  const [text, setText] = useState('')
  const field = useRef<HTMLInputElement>(null)
  useKeys([{ keys: [':'], label: t('keys.kinds'), run: () => field.current?.closest('details')?.setAttribute('open', '') }])
  const found = findKinds([...resources.value.values()], text)
  return (
    <Menu
      face={t('nav.all')}
      kind="kinds"
      opened={() => {
        setText('')
        field.current?.focus()
      }}
    >
      <input
        ref={field}
        type="search"
        value={text}
        placeholder={t('nav.find')}
        aria-label={t('nav.find')}
        onInput={(e) => setText(e.currentTarget.value)}
        onKeyDown={(e) => {
          if (e.key === 'Enter') e.currentTarget.parentElement?.querySelector('a')?.click()
          if (e.key === 'ArrowDown') moveFocus(e, 1)
        }}
      />
      <ul onKeyDown={(e) => (e.key === 'ArrowDown' ? moveFocus(e, 1) : e.key === 'ArrowUp' && moveFocus(e, -1))}>
        {found.map((r) => (
          <KindLink key={r.id} of={r} />
        ))}
        {found.length === 0 && <li class="faint">{t('nav.none')}</li>}
      </ul>
    </Menu>
  )
}

function KindLink({ of: r }: { of: Resource }) {
  return (
    <li>
      <a href={tableHref(r.id, namespaceFor(r))}>
        {titleOf(r)} <small>{r.group === '' ? r.shortNames[0] : r.group}</small>
      </a>
    </li>
  )
}

/** moveFocus goes to the next link of the menu, or the one before; from the first back to the field. */
function moveFocus(e: KeyboardEvent, by: 1 | -1): void {
  const menu = (e.currentTarget as Element).closest('.menu-body')
  const all = [...(menu?.querySelectorAll<HTMLElement>('input, a') ?? [])]
  const next = all[all.indexOf(document.activeElement as HTMLElement) + by]
  e.preventDefault()
  next?.focus()
}

/** overviewHref is the address of the overview, for the namespace that is shown. */
export function overviewHref(ns: string): string {
  return href({ page: 'overview', query: ns === '' ? {} : { ns } })
}
