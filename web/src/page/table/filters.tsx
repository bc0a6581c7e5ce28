import { useEffect, useId, useState } from 'preact/hooks'
import { t } from '../../i18n'
import { type Query, setQuery } from '../../route'
import { badField, badLabel } from './selector'

/** FilterProps: `refusal` is the server's error about one of the selectors. */
interface FilterProps {
  readonly query: Query
  readonly refusal: { readonly of: 'labels' | 'fields' | null; readonly message: string }
  readonly search: { current: HTMLInputElement | null }
  /** Moves the focus to the rows. */
  readonly leave: () => void
}

/** Filters selects the rows: by their text, by labels and by fields. */
export function Filters({ query, refusal, search, leave }: FilterProps) {
  const refused = (of: 'labels' | 'fields') => (refusal.of === of ? refusal.message : '')
  const badL = badLabel(query.l ?? '')
  const badF = badField(query.f ?? '')
  return (
    <search class="filters">
      <label>
        <span class="unseen">{t('table.search')}</span>
        <input
          ref={search}
          type="search"
          value={query.q ?? ''}
          placeholder={`${t('table.search')}  /`}
          onInput={(e) => setQuery({ q: e.currentTarget.value })}
          onKeyDown={(e) => {
            if (e.key === 'Escape') setQuery({ q: '' })
            if (!['Escape', 'Enter', 'ArrowDown'].includes(e.key)) return
            e.preventDefault()
            leave()
          }}
        />
      </label>
      <Selector
        name="l"
        label={t('table.labels')}
        value={query.l ?? ''}
        fault={badL === null ? refused('labels') : t('table.labels.bad', { part: badL })}
      />
      <Selector
        name="f"
        label={t('table.fields')}
        value={query.f ?? ''}
        fault={badF === null ? refused('fields') : t('table.fields.bad', { part: badF })}
      />
    </search>
  )
}

/**
 * Selector is a field for a selector. It takes effect when it is left or confirmed, because a
 * half-typed selector is invalid.
 */
function Selector({ name, label, value, fault }: { name: 'l' | 'f'; label: string; value: string; fault: string }) {
  const [text, setText] = useState(value)
  const id = useId()
  useEffect(() => setText(value), [value])
  const example = name === 'l' ? 'app=web,tier in (front)' : 'metadata.name=web'
  return (
    <label>
      <span class="unseen">{label}</span>
      <input
        type="text"
        value={text}
        placeholder={`${label}: ${example}`}
        title={label}
        autocapitalize="off"
        autocomplete="off"
        spellcheck={false}
        aria-invalid={fault !== ''}
        aria-describedby={fault === '' ? undefined : id}
        onInput={(e) => setText(e.currentTarget.value)}
        onChange={(e) => setQuery({ [name]: e.currentTarget.value.trim() }, false)}
        onKeyDown={(e) => {
          if (e.key === 'Escape') e.currentTarget.blur()
        }}
      />
      {fault !== '' && (
        <span id={id} class="filter-fault" role="alert">
          {fault}
        </span>
      )}
    </label>
  )
}
