import { resources } from '../api/resource'
import { t } from '../i18n'
import { href, route, tableHref } from '../route'
import { Icon } from '../ui/icon'
import { jumpKey } from '../ui/keys'
import { Menu } from '../ui/menu'
import { Parts } from '../ui/slot'
import { openJump } from './jumpshown'
import { titleOf } from './kind'
import { KindMenu, overviewHref } from './kindmenu'
import { NamespacePicker, namespaceFor, namespaceShown } from './namespace'
import { Settings } from './settings'
import { inBar } from './slots'

/** The kinds that are one click away; all others are in a menu. */
const near = ['deployments.apps', 'replicasets.apps', 'jobs.batch', 'cronjobs.batch', 'pods', 'nodes', 'events']

/** Bar is above every page: where to go, which namespace, what all pages have in common, and how it all should look. */
export function Bar() {
  return (
    <header class="bar">
      <a class="brand" href={overviewHref(namespaceShown())} aria-label={t('app.title')}>
        <img src={new URL('../../public/icon.svg', import.meta.url).href} alt="" width="24" height="24" />
        <span>{t('app.title')}</span>
      </a>
      <nav class="bar-wide" aria-label={t('nav.label')}>
        <Pages />
      </nav>
      <nav class="bar-narrow" aria-label={t('nav.label')}>
        <Menu face={<Icon of="menu" />} name={t('nav.menu')}>
          <div class="bar-pages">
            <Pages />
          </div>
        </Menu>
      </nav>
      <KindMenu />
      <JumpButton />
      <div class="bar-end">
        <NamespacePicker />
        <Parts of={inBar} />
        <Settings />
      </div>
    </header>
  )
}

/** JumpButton opens the search for users who do not know the key. */
function JumpButton() {
  const name = `${t('keys.jump')} (${jumpKey})`
  return (
    <button type="button" class="plain jump-button" title={name} aria-label={name} onClick={openJump}>
      <Icon of="search" />
    </button>
  )
}

function Pages() {
  return (
    <>
      <PageLink to={overviewHref(namespaceShown())} here={route.value.page === 'overview'} name={t('nav.overview')} />
      {near.map((id) => {
        const r = resources.value.get(id)
        return r && <PageLink key={id} to={tableHref(id, namespaceFor(r))} here={shows(id)} name={titleOf(r)} />
      })}
      <PageLink to={changesHref()} here={route.value.page === 'other' && route.value.name === 'changes'} name={t('changes.title')} />
    </>
  )
}

/** changesHref is the list of changes of the namespace that is shown. */
function changesHref(): string {
  const ns = namespaceShown()
  return href({ page: 'other', name: 'changes', query: ns === '' ? {} : { ns } })
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
