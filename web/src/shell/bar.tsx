import { type Resource, resources } from '../api/resource'
import { useTable } from '../api/use'
import { type Language, language, languages, speak, t } from '../i18n'
import { href, route, setQuery, tableHref } from '../route'
import { chooseTheme, type Theme, theme, themes } from './theme'

/** The kinds that are one click away; all others are in a menu. */
const workloads = ['deployments.apps', 'replicasets.apps', 'jobs.batch', 'cronjobs.batch', 'pods']
const cluster = ['nodes', 'namespaces', 'events']

/** Bar is above every page: where to go, which namespace, and how it all should look. */
export function Bar() {
  return (
    <header class="bar">
      <a class="brand" href={href({ page: 'overview', query: {} })}>
        <img src={new URL('../../public/icon.svg', import.meta.url).href} alt="" width="24" height="24" />
        {t('app.title')}
      </a>
      <nav aria-label={t('nav.label')}>
        <PageLink to={href({ page: 'overview', query: {} })} here={route.value.page === 'overview'} name={t('nav.overview')} />
        {[...workloads, ...cluster].map((id) => {
          const r = resources.value.get(id)
          return r && <PageLink key={id} to={tableHref(id, namespaceFor(r))} here={shows(id)} name={titleOf(r)} />
        })}
        <AllKinds />
      </nav>
      <div class="bar-end">
        <NamespacePicker />
        <Settings />
      </div>
    </header>
  )
}

function PageLink({ to, here, name }: { to: string; here: boolean; name: string }) {
  return (
    <a href={to} aria-current={here ? 'page' : undefined}>
      {name}
    </a>
  )
}

/** shows says whether the page is about a kind. */
function shows(id: string): boolean {
  const r = route.value
  return (r.page === 'table' || r.page === 'object') && r.resource === id
}

/** titleOf is what a kind's table is called: CronJobs, Ingresses, NetworkPolicies. The names of kinds are not translated. */
export function titleOf(r: Resource): string {
  if (/(s|x|ch)$/.test(r.kind)) return r.kind.endsWith('ts') ? r.kind : `${r.kind}es`
  return r.kind.endsWith('y') ? `${r.kind.slice(0, -1)}ies` : `${r.kind}s`
}

/** namespaceFor keeps the namespace that was chosen when another table is opened. */
function namespaceFor(r: Resource): Record<string, string> {
  const ns = namespaceShown()
  return r.namespaced && ns !== '' ? { ns } : {}
}

/** namespaceShown is the namespace that the page is about, or '' for all. */
function namespaceShown(): string {
  const r = route.value
  return r.page === 'object' ? r.namespace : (r.query.ns ?? '')
}

function AllKinds() {
  const all = [...resources.value.values()].filter((r) => r.verbs.includes('list')).sort((a, b) => a.kind.localeCompare(b.kind))
  return (
    <details class="menu">
      <summary>{t('nav.all')}</summary>
      <ul>
        {all.map((r) => (
          <li key={r.id}>
            <a href={tableHref(r.id, namespaceFor(r))} onClick={closeMenu}>
              {titleOf(r)} <small>{r.group}</small>
            </a>
          </li>
        ))}
      </ul>
    </details>
  )
}

function closeMenu(e: Event): void {
  ;(e.currentTarget as Element).closest('details')?.removeAttribute('open')
}

function NamespacePicker() {
  const namespaces = useTable(resources.value.has('namespaces') ? { resource: resources.value.get('namespaces') as Resource } : null)
  const names = [...namespaces.items.values()].map((n) => n.meta.name).sort()
  const shown = namespaceShown()
  return (
    <label class="namespace">
      <span class="unseen">{t('namespace.label')}</span>
      <select value={shown} onChange={(e) => setQuery({ ns: e.currentTarget.value }, false)}>
        <option value="">{t('namespace.all')}</option>
        {names.map((n) => (
          <option key={n} value={n}>
            {n}
          </option>
        ))}
      </select>
    </label>
  )
}

function Settings() {
  return (
    <details class="menu end">
      <summary aria-label={t('settings.label')}>⚙</summary>
      <div class="settings">
        <label>
          {t('settings.language')}
          <select value={language.value} onChange={(e) => void speak(e.currentTarget.value as Language)}>
            {Object.entries(languages).map(([id, name]) => (
              <option key={id} value={id} lang={id}>
                {name}
              </option>
            ))}
          </select>
        </label>
        <label>
          {t('settings.theme')}
          <select value={theme.value} onChange={(e) => chooseTheme(e.currentTarget.value as Theme)}>
            {themes.map((name) => (
              <option key={name} value={name}>
                {t(`theme.${name}`)}
              </option>
            ))}
          </select>
        </label>
      </div>
    </details>
  )
}
