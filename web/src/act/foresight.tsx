import type { ApiError } from '../api/http'
import { resources } from '../api/resource'
import { t } from '../i18n'
import { objectHref } from '../route'
import { type Foretold, groupByKind, type Held, type Ref } from './foretold'

/** Foresight shows what a deletion would take along, leave behind and wait for. */
export function Foresight({ foretold, error, self }: { foretold: Foretold | undefined; error: ApiError | null; self: string }) {
  if (error) return <p class="notice warn">{t('delete.unforeseen', { message: error.message })}</p>
  if (!foretold) return <p class="notice foresight">{t('load.loading')}</p>
  const along = foretold.deleted.filter((r) => r.uid !== self)
  return (
    <div class="foresight" role="status">
      <Part text={t('delete.along', { n: Math.max(0, foretold.deletedCount - 1) })} refs={along} count={foretold.deletedCount - 1} bad />
      {foretold.orphanedCount > 0 && (
        <Part text={t('delete.orphaned', { n: foretold.orphanedCount })} refs={foretold.orphaned} count={foretold.orphanedCount} />
      )}
      {(foretold.releasedCount ?? 0) > 0 && (
        <Part
          text={t('delete.released', { n: foretold.releasedCount ?? 0 })}
          refs={foretold.released ?? []}
          count={foretold.releasedCount ?? 0}
        />
      )}
      {(foretold.heldCount ?? 0) > 0 && <HeldList held={foretold.held ?? []} count={foretold.heldCount ?? 0} />}
    </div>
  )
}

function Part({ text, refs, count, bad = false }: { text: string; refs: readonly Ref[]; count: number; bad?: boolean }) {
  if (count <= 0) return <p class="none">{text}</p>
  const groups = groupByKind(refs)
  return (
    <details class={bad ? 'part bad' : 'part'} open={count <= 12}>
      <summary>{text}</summary>
      <ul>
        {groups.map((g) => (
          <li key={g.resource}>
            {g.kind} <small>{g.refs.length}</small>
            <ul>
              {g.refs.map((r) => (
                <li key={r.uid}>
                  <RefLink of={r} />
                </li>
              ))}
            </ul>
          </li>
        ))}
      </ul>
      {count > refs.length && <p class="reason">{t('delete.unlisted', { n: count - refs.length })}</p>}
    </details>
  )
}

/** RefLink leads to an object, in a tab of its own so that the dialog stays. */
export function RefLink({ of: r }: { of: Ref }) {
  if (!resources.value.has(r.resource)) return <span>{r.name}</span>
  return (
    <a href={objectHref(r.resource, r.namespace, r.name)} target="_blank" rel="noreferrer">
      {r.name}
    </a>
  )
}

function HeldList({ held, count }: { held: readonly Held[]; count: number }) {
  return (
    <div class="notice warn">
      {t('delete.held', { n: count })}
      <ul>
        {held.slice(0, 20).map((h) => (
          <li key={h.uid}>
            {h.kind} <RefLink of={h} />:{' '}
            {h.node ? t('delete.heldNode', { node: h.node }) : t('delete.heldBy', { finalizers: (h.finalizers ?? []).join(', ') })}
          </li>
        ))}
      </ul>
    </div>
  )
}
