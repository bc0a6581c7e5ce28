import { type Resource, resources } from '../api/resource'
import { base } from '../base'
import { t } from '../i18n'
import { at, type Route, route } from '../route'
import { announce } from '../ui/announce'
import { titleOf } from './kind'

/** titleOfPage returns the title of a page in the user's language: "web · Deployment · shop". */
export function titleOfPage(r: Route, kinds: ReadonlyMap<string, Resource>): string {
  switch (r.page) {
    case 'overview':
      return join(t('nav.overview'), r.query.ns)
    case 'table': {
      const kind = kinds.get(r.resource)
      return join(kind ? titleOf(kind) : r.resource, r.query.ns)
    }
    case 'object':
      return join(r.name, kinds.get(r.resource)?.kind ?? r.resource, r.namespace)
    case 'other':
      return Object.hasOwn(others, r.name) ? t(others[r.name as keyof typeof others]) : r.name
  }
}

/** others are the titles of pages that are not about one kind. */
const others = {
  changes: 'changes.title',
  compare: 'compare.title',
  new: 'write.create',
  faults: 'fault.all',
  forks: 'fork.title',
  difference: 'fork.difference',
  snapshots: 'snapshot.title',
} as const

const join = (...parts: (string | undefined)[]): string => parts.filter((p) => p).join(' · ')

/** placeOf identifies a page; it ignores what only changes how the page is shown. */
export function placeOf(r: Route): string {
  switch (r.page) {
    case 'overview':
      return ''
    case 'table':
      return r.resource
    case 'object':
      return JSON.stringify([r.resource, r.namespace, r.name])
    case 'other':
      return `-${r.name}`
  }
}

let shown: string | null = null

/**
 * arrive announces the current page: in the title of the window and, after navigation, to a screen
 * reader, with the focus moved to the start of the page. When a page is opened from outside, or has
 * taken the focus itself, it leaves the focus alone.
 */
export function arrive(): void {
  const name = titleOfPage(route.value, resources.value)
  const title = at.value === null ? name : t('app.titleThen', { title: name, at: at.value })
  document.title = join(title, base.fork === '' ? '' : t('fork.chip', { name: base.fork }), t('app.title'))
  const place = placeOf(route.value)
  if (shown !== null && shown !== place) {
    announce(title)
    const main = document.getElementById('main')
    if (main && !main.contains(document.activeElement)) main.focus({ preventScroll: true })
  }
  shown = place
}
