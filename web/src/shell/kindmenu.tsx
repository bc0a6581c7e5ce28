import { useRef, useState } from 'preact/hooks'
import { type Resource, resources } from '../api/resource'
import { t } from '../i18n'
import { href, tableHref } from '../route'
import { Icon } from '../ui/icon'
import { Menu } from '../ui/menu'
import { narrow } from '../ui/narrow'
import { findKinds, groupOf, groups, hintsOf, titleOf } from './kind'
import { namespaceFor } from './namespace'

/**
 * KindMenu lists every kind that can be listed. It finds a kind by part of its name or by kubectl's
 * short name.
 */
export function KindMenu() {
  const [text, setText] = useState('')
  const field = useRef<HTMLInputElement>(null)
  const found = findKinds([...resources.value.values()], text)
  return (
    <Menu
      face={narrow.value ? <Icon of="kinds" /> : t('nav.all')}
      {...(narrow.value ? { name: t('nav.all') } : {})}
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
      {text.trim() === '' ? <Groups of={found} /> : <KindList of={found} />}
      {found.length === 0 && <p class="faint">{t('nav.none')}</p>}
    </Menu>
  )
}

/** Groups lists kinds by purpose. */
function Groups({ of }: { of: readonly Resource[] }) {
  return (
    <>
      {groups.map((group) => {
        const kinds = of.filter((r) => groupOf(r) === group)
        if (kinds.length === 0) return null
        return (
          <section key={group} aria-labelledby={`kinds-${group}`}>
            <h2 id={`kinds-${group}`}>{t(`nav.${group}`)}</h2>
            <KindList of={kinds} />
          </section>
        )
      })}
    </>
  )
}

function KindList({ of }: { of: readonly Resource[] }) {
  return (
    <ul onKeyDown={(e) => (e.key === 'ArrowDown' ? moveFocus(e, 1) : e.key === 'ArrowUp' && moveFocus(e, -1))}>
      {of.map((r) => (
        <KindLink key={r.id} of={r} />
      ))}
    </ul>
  )
}

function KindLink({ of: r }: { of: Resource }) {
  const { short, group } = hintsOf(r)
  return (
    <li>
      <a href={tableHref(r.id, namespaceFor(r))}>
        {titleOf(r)} {short !== '' && <code>{short}</code>} {group !== '' && <small>{group}</small>}
      </a>
    </li>
  )
}

/**
 * moveFocus moves the focus to the next or previous link of the menu, and from the first back to
 * the field.
 */
function moveFocus(e: KeyboardEvent, by: 1 | -1): void {
  const menu = (e.currentTarget as Element).closest('.menu-body')
  const all = [...(menu?.querySelectorAll<HTMLElement>('input, a') ?? [])]
  const next = all[all.indexOf(document.activeElement as HTMLElement) + by]
  e.preventDefault()
  next?.focus()
}

/** overviewHref is the address of the overview of a namespace. */
export function overviewHref(ns: string): string {
  return href({ page: 'overview', query: ns === '' ? {} : { ns } })
}
