import { resources } from '../../api/resource'
import { t } from '../../i18n'
import { at, route, setQuery } from '../../route'
import { Changes } from './table'

/** ChangesPage is the log of the whole cluster, or of a namespace or a kind. */
export function ChangesPage() {
  const { ns, of, events } = route.value.query
  const kinds = [...resources.value.values()].filter((r) => r.verbs.includes('watch')).sort((a, b) => a.kind.localeCompare(b.kind))
  const scope = { ...(of ? { resource: of } : {}), ...(ns ? { namespace: ns } : {}) }
  const showEvents = events === '1' || (of ?? '').startsWith('events')
  return (
    <>
      <div class="page-head">
        <h1>{t('changes.title')}</h1>
        <div class="page-actions">
          <label>
            <input
              type="checkbox"
              checked={showEvents}
              disabled={(of ?? '') !== ''}
              onChange={(e) => setQuery({ events: e.currentTarget.checked ? '1' : '' })}
            />{' '}
            {t('changes.withEvents')}
          </label>
          <select aria-label={t('changes.kind')} value={of ?? ''} onChange={(e) => setQuery({ of: e.currentTarget.value }, false)}>
            <option value="">{t('changes.allKinds')}</option>
            {kinds.map((r) => (
              <option key={r.id} value={r.id}>
                {r.kind}
                {r.group === '' ? '' : ` (${r.group})`}
              </option>
            ))}
          </select>
        </div>
      </div>
      <Changes scope={scope} upTo={at.value} {...(showEvents ? {} : { hide: (c) => c.kind === 'Event' })} />
    </>
  )
}
