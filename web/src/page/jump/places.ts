import type { Resource } from '../../api/resource'
import { resources } from '../../api/resource'
import { base } from '../../base'
import { presentNow } from '../../clock/clock'
import { formatTime, type Key, t } from '../../i18n'
import { at, go, objectHref, route, tableHref } from '../../route'
import { titleOf } from '../../shell/kind'
import { namespaceFor, namespaceShown } from '../../shell/namespace'
import { lastChange } from '../../time/log'
import { history, learn } from '../../time/now'
import { backToNow, show } from '../../time/travel'
import { clusterHref, type Fork } from '../fork/read'
import type { Place } from './find'
import { type Moment, parseMoment, revisionAtTime, timeOfMoment } from './moment'
import type { Found } from './objects'

const small = (...all: (string | undefined)[]): string[] => all.flatMap((w) => (w ? [w.toLowerCase()] : []))

/** follow goes to an address of the dashboard, as a link does. */
function follow(address: string): void {
  const link = document.createElement('a')
  link.href = address
  document.body.append(link)
  link.click()
  link.remove()
}

/**
 * pages are the pages that are not about one kind, by their names in addresses; '' is the overview.
 */
const pages: readonly (readonly [string, Key])[] = [
  ['', 'nav.overview'],
  ['changes', 'changes.title'],
  ['new', 'write.create'],
  ['faults', 'fault.all'],
  ['forks', 'fork.title'],
  ['snapshots', 'snapshot.title'],
]

/** pagePlaces are the pages, for the current namespace. */
export function pagePlaces(): Place[] {
  const ns = namespaceShown()
  const query: Record<string, string> = ns === '' ? {} : { ns }
  return pages.map(([name, title]) => ({
    id: `page-${name}`,
    sort: 'page',
    title: t(title),
    about: t('jump.page'),
    words: small(t(title), name),
    go: () => go(name === '' ? { page: 'overview', query } : { page: 'other', name, query }),
  }))
}

/** kindPlaces are the tables of the kinds that can be listed. */
export function kindPlaces(all: Iterable<Resource>): Place[] {
  return [...all]
    .filter((r) => r.verbs.includes('list'))
    .sort((a, b) => a.kind.localeCompare(b.kind, 'en'))
    .map((r) => ({
      id: `kind-${r.id}`,
      sort: 'kind',
      title: titleOf(r),
      about: [t('jump.kind'), r.group].filter(Boolean).join(' · '),
      words: small(r.plural, r.kind, titleOf(r), ...r.shortNames, r.group),
      go: () => follow(tableHref(r.id, namespaceFor(r))),
    }))
}

/** objectPlaces are the pages of objects. */
export function objectPlaces(all: readonly Found[]): Place[] {
  return all.map(({ resource: r, meta: m }) => ({
    id: `object-${r.id}-${m.uid}`,
    sort: 'object',
    title: m.name,
    about: [r.kind, m.namespace].filter(Boolean).join(' · '),
    words: small(m.name, m.namespace, r.kind, ...r.shortNames),
    go: () => follow(objectHref(r.id, m.namespace, m.name)),
  }))
}

/** forkPlaces are the same page in other clusters. */
export function forkPlaces(forks: readonly Fork[]): Place[] {
  const main = { id: 'fork-', name: '', title: t('fork.main') }
  const others = forks.filter((f) => f.state === 'ready').map((f) => ({ id: `fork-${f.name}`, name: f.name, title: f.name }))
  return [main, ...others]
    .filter((f) => f.name !== base.fork)
    .map((f) => ({
      id: f.id,
      sort: 'fork',
      title: f.title,
      about: t('jump.fork'),
      words: small(f.title),
      go: () => location.assign(clusterHref(f.name, route.value)),
    }))
}

/** momentPlaces is the moment that a text describes, if it does. */
export function momentPlaces(text: string): Place[] {
  const m = parseMoment(text)
  if (!m) return []
  return [{ id: 'moment', sort: 'moment', title: titleOfMoment(m), about: t('jump.moment'), words: [], go: () => void goToMoment(m) }]
}

function titleOfMoment(m: Moment): string {
  if (m.by === 'now') return t('time.back')
  if (m.by === 'revision') return t('time.revision', { revision: m.revision })
  return formatTime(new Date(timeOfMoment(m, presentNow.peek()) ?? 0))
}

/** goToMoment shows a moment. A time before the log shows its start. */
async function goToMoment(m: Moment): Promise<void> {
  if (m.by === 'now') {
    if (at.peek() !== null) backToNow()
    return
  }
  if (m.by === 'revision') {
    show(m.revision)
    return
  }
  const { signal } = new AbortController()
  const read = async (revision: number) => {
    const found = await lastChange({}, revision + 1, signal)
    if (!found) return undefined
    learn([found])
    return { revision: found.revision, at: Date.parse(found.at) }
  }
  const time = timeOfMoment(m, presentNow.peek()) ?? 0
  const revision = await revisionAtTime(history.peek()?.stops ?? [], time, read).catch(() => null) // the outage banner says that the server does not answer
  if (revision !== null) show(revision)
}

/** standing are the places that do not depend on the text. */
export const standing = (): Place[] => [...pagePlaces(), ...kindPlaces(resources.value.values())]
