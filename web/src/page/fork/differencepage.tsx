import { useEffect, useState } from 'preact/hooks'
import { Refusal } from '../../act/refusal'
import type { ApiError } from '../../api/http'
import type { KubeObject } from '../../api/object'
import { objectPath, type Resource, resources } from '../../api/resource'
import { base } from '../../base'
import { t } from '../../i18n'
import { route, setQuery } from '../../route'
import { titleOf } from '../../shell/kind'
import { diffObjects } from '../../time/diff'
import { Unread } from '../../ui/unread'
import { Diff } from '../changes/diff'
import type { Difference } from './differ'
import { comparable, type KindDifference, readIn, useDifference } from './difference'
import { clusterHref, useForks } from './read'
import '../changes/changes.css'
import './fork.css'

/** DifferencePage compares a fork with its origin, object by object. */
export function DifferencePage() {
  const { fork: asked, ns = '' } = route.value.query
  const fork = asked ?? base.fork
  const { items, error } = useForks()
  const one = items?.find((f) => f.name === fork)
  const kinds = [...resources.value.values()].filter(comparable)
  const [again, setAgain] = useState(0)
  const progress = useDifference(kinds, fork, ns, one ? (one.revision ?? 0) : undefined, again)
  const count = progress.kinds.reduce((n, k) => n + k.all.length, 0)
  const complete = one !== undefined && progress.done === progress.of
  return (
    <>
      <div class="page-head">
        <h1>{fork === '' ? t('fork.difference') : t('fork.differenceOf', { name: fork })}</h1>
        <div class="page-actions">
          {items && items.length > 0 && (
            <select aria-label={t('fork.pick')} value={one?.name ?? ''} onChange={(e) => setQuery({ fork: e.currentTarget.value }, false)}>
              {!one && <option value="">{t('fork.pick')}</option>}
              {items.map((f) => (
                <option key={f.name}>{f.name}</option>
              ))}
            </select>
          )}
          <button type="button" disabled={!complete} onClick={() => setAgain(again + 1)}>
            {t('fork.compareAgain')}
          </button>
        </div>
      </div>
      <p class="faint">{t('fork.differenceAbout')}</p>
      <Refusal error={error} />
      {items && fork !== '' && !one && <p class="notice warn">{t('fork.notThere', { name: fork })}</p>}
      {items?.length === 0 && fork === '' && <p class="notice">{t('fork.none')}</p>}
      {one && (
        <p role="status" class="fork-progress">
          {complete ? t('fork.differs', { n: count }) : t('fork.comparing', { done: progress.done, all: progress.of })}
        </p>
      )}
      {one && progress.kinds.map((k) => <Kind key={k.resource.id} of={k} fork={one.name} />)}
    </>
  )
}

/** shownAtFirst is how many objects of a kind are shown before "more" is chosen. */
const shownAtFirst = 50

function Kind({ of: k, fork }: { of: KindDifference; fork: string }) {
  const [shown, setShown] = useState(shownAtFirst)
  return (
    <section class="compare-group" aria-label={titleOf(k.resource)}>
      <h2>
        {titleOf(k.resource)} <small class="faint">{k.all.length}</small>
      </h2>
      <Unread error={k.error} />
      {k.cut && <p class="notice warn">{t('fork.cut')}</p>}
      {k.all.slice(0, shown).map((d) => (
        <Row key={`${d.namespace}/${d.name}`} of={d} resource={k.resource} fork={fork} />
      ))}
      {k.all.length > shown && (
        <button type="button" onClick={() => setShown(shown + 4 * shownAtFirst)}>
          {t('changes.more', { n: k.all.length - shown })}
        </button>
      )}
    </section>
  )
}

/** words describes in short what happened to an object since the fork was made. */
function words(d: Difference): string {
  if (!d.inOrigin) return t(d.by === 'fork' ? 'fork.onlyFork' : 'fork.deletedOrigin')
  if (!d.inFork) return t(d.by === 'fork' ? 'fork.deletedFork' : 'fork.onlyOrigin')
  return t(d.by === 'fork' ? 'fork.changedFork' : d.by === 'origin' ? 'fork.changedOrigin' : 'fork.changedBoth')
}

function Row({ of: d, resource, fork }: { of: Difference; resource: Resource; fork: string }) {
  const [open, setOpen] = useState(false)
  return (
    <details class="compare-row" onToggle={(e) => setOpen(e.currentTarget.open)}>
      <summary>
        {d.namespace && <span class="faint">{d.namespace}/</span>}
        {d.name} <span class={`side ${d.by}`}>{words(d)}</span>
      </summary>
      {open && <Both of={d} resource={resource} fork={fork} />}
    </details>
  )
}

/** Both shows how an object differs between the two clusters now. */
function Both({ of: d, resource, fork }: { of: Difference; resource: Resource; fork: string }) {
  const [read, setRead] = useState<readonly [KubeObject | undefined, KubeObject | undefined]>()
  const [error, setError] = useState<ApiError | null>(null)
  useEffect(() => {
    const stop = new AbortController()
    const path = objectPath(resource, d.namespace, d.name)
    Promise.all([d.inOrigin ? readIn('', path, stop.signal) : undefined, d.inFork ? readIn(fork, path, stop.signal) : undefined]).then(
      setRead,
      (e: ApiError) => stop.signal.aborted || setError(e),
    )
    return () => stop.abort()
  }, [resource, d, fork])
  const to = { page: 'object' as const, resource: resource.id, namespace: d.namespace, name: d.name, tab: '', query: {} }
  return (
    <>
      <p class="row">
        {d.inOrigin && <a href={clusterHref('', to)}>{t('fork.openOrigin')}</a>}
        {d.inFork && <a href={clusterHref(fork, to)}>{t('fork.openFork')}</a>}
      </p>
      <Refusal error={error} />
      {!read && !error && <p class="faint">{t('load.loading')}</p>}
      {read && <Diff changes={diffObjects(read[0], read[1])} />}
    </>
  )
}
