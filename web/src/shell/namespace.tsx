import { effect, signal } from '@preact/signals'
import { type Resource, resources } from '../api/resource'
import { useTable } from '../api/use'
import { t } from '../i18n'
import { go, route, setQuery } from '../route'

/**
 * everywhere is true if all namespaces were shown last: opening an object from there does not
 * change that.
 */
const everywhere = signal(false)

effect(() => {
  const r = route.value
  if (r.page === 'overview' || (r.page === 'table' && resources.value.get(r.resource)?.namespaced)) everywhere.value = !r.query.ns
})

/**
 * namespaceShown is the namespace of the current page, or '' for all. On the page of an object, it
 * is '' if all namespaces were shown before.
 */
export function namespaceShown(): string {
  const r = route.value
  if (r.page !== 'object') return r.query.ns ?? ''
  return everywhere.value ? '' : r.namespace
}

/** namespaceFor keeps the chosen namespace when another table is opened. */
export function namespaceFor(r: Resource): Record<string, string> {
  const ns = namespaceShown()
  return r.namespaced && ns !== '' ? { ns } : {}
}

/**
 * choices are the namespaces to choose from, including the current one even if it does not exist.
 */
export function choices(names: Iterable<string>, shown: string): string[] {
  const all = new Set(names)
  if (shown !== '') all.add(shown)
  return [...all].sort()
}

/**
 * choose switches to another namespace: on the same page or, from the page of an object, in the
 * table of its kind.
 */
function choose(ns: string): void {
  const r = route.value
  if (r.page !== 'object') setQuery({ ns }, false)
  else go({ page: 'table', resource: r.resource, query: ns === '' ? {} : { ns } })
}

/** NamespacePicker selects the namespace. It is disabled on pages about cluster-scoped objects. */
export function NamespacePicker() {
  const resource = resources.value.get('namespaces')
  const namespaces = useTable(resource ? { resource } : null)
  const shown = namespaceShown()
  const r = route.value
  const kind = r.page === 'table' || r.page === 'object' ? resources.value.get(r.resource) : undefined
  const names = [...namespaces.items.values()].map((n) => n.meta.name)
  const off = kind !== undefined && !kind.namespaced
  // Users who may not list namespaces type the name of theirs.
  if (namespaces.error?.code === 403) return <Named shown={shown} off={off} />
  return (
    <label class="namespace">
      <span class="unseen">{t('namespace.label')}</span>
      <select value={shown} disabled={off} onChange={(e) => choose(e.currentTarget.value)}>
        <option value="">{t('namespace.all')}</option>
        {choices(names, shown).map((n) => (
          <option key={n} value={n}>
            {n}
          </option>
        ))}
      </select>
    </label>
  )
}

/** Named is a field for a namespace's name; empty means all. */
function Named({ shown, off }: { shown: string; off: boolean }) {
  return (
    <label class="namespace">
      <span class="unseen">{t('namespace.label')}</span>
      <input
        key={shown}
        defaultValue={shown}
        disabled={off}
        placeholder={t('namespace.all')}
        spellcheck={false}
        onChange={(e) => choose(e.currentTarget.value.trim())}
      />
    </label>
  )
}
