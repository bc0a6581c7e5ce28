import { useHindrance } from '../../act/able'
import { accessTo } from '../../act/may'
import type { Resource } from '../../api/resource'
import { t } from '../../i18n'
import { at, href, type Query, setQuery } from '../../route'

/**
 * Empty is shown in a table without rows. It offers to show all namespaces, to clear the filters,
 * or to create an object.
 */
export function Empty({ resource, query, filtered }: { resource: Resource; query: Query; filtered: boolean }) {
  const ns = query.ns ?? ''
  const creates = !filtered && resource.verbs.includes('create') && resource.verbs.includes('list')
  const why = useHindrance(creates ? [accessTo('create', resource, resource.namespaced ? ns || 'default' : undefined)] : [])
  return (
    <div class="notice empty">
      <p>{t(filtered ? 'table.noMatch' : 'table.none')}</p>
      {filtered && (
        <button type="button" onClick={() => setQuery({ q: '', l: '', f: '' }, false)}>
          {t('table.clearFilters')}
        </button>
      )}
      {ns !== '' && (
        <button type="button" onClick={() => setQuery({ ns: '' }, false)}>
          {t('namespace.all')}
        </button>
      )}
      {creates && why === '' && at.value === null && (
        <a class="button" href={href({ page: 'other', name: 'new', query: { kind: resource.id, ...(ns === '' ? {} : { ns }) } })}>
          {t('table.create', { kind: resource.kind })}
        </a>
      )}
    </div>
  )
}
