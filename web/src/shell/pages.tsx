import { t } from '../i18n'
import { href, route } from '../route'
import { type Loader, useLoaded } from '../ui/slot'

/** Pages are loaded when they are opened. */
const overview: Loader = () => import('../page/overview/overview').then((m) => m.Overview)
const table: Loader = () => import('../page/table/table').then((m) => m.Table)
const object: Loader = () => import('../page/object/object').then((m) => m.ObjectPage)

/** others are the pages that are not about one kind, by their names in addresses. */
const others: Readonly<Record<string, Loader>> = {
  changes: () => import('../page/changes/changes').then((m) => m.ChangesPage),
  compare: () => import('../page/changes/compare').then((m) => m.ComparePage),
  new: () => import('../act/create').then((m) => m.Create),
  faults: () => import('../act/faults').then((m) => m.FaultsPage),
  forks: () => import('../page/fork/forks').then((m) => m.ForksPage),
  difference: () => import('../page/fork/differencepage').then((m) => m.DifferencePage),
  snapshots: () => import('../page/fork/snapshots').then((m) => m.SnapshotsPage),
}

const unknown: Loader = async () => UnknownPage

function UnknownPage() {
  const r = route.value
  return (
    <p class="notice bad" role="alert">
      {t('load.unknownPage', { name: r.page === 'other' ? r.name : '' })}{' '}
      <a href={href({ page: 'overview', query: {} })}>{t('nav.overview')}</a>
    </p>
  )
}

function loaderOf(): Loader {
  const r = route.value
  switch (r.page) {
    case 'overview':
      return overview
    case 'table':
      return table
    case 'object':
      return object
    case 'other':
      return others[r.name] ?? unknown
  }
}

/**
 * loadAhead starts to load the page in the address while other requests are running. Main reports
 * failures.
 */
export function loadAhead(): void {
  void loaderOf()().catch(() => undefined)
}

/** Main shows the page in the address. */
export function Main() {
  const loader = loaderOf()
  const Page = useLoaded(loader)
  return Page ? <Page /> : <p class="notice">{t('load.loading')}</p>
}
