import type { ApiError } from '../api/http'
import { resources } from '../api/resource'
import { t } from '../i18n'
import { objectHref } from '../route'
import { unreadOf } from '../ui/unread'
import { groupByKind, type Held, type Listed, type Preview, type Ref } from './preview'

/** PreviewView shows which objects a deletion deletes, orphans and waits for. */
export function PreviewView({ preview, error }: { preview: Preview | undefined; error: ApiError | null }) {
  if (error) return <p class="notice warn">{t('delete.noPreview', { message: unreadOf(error) })}</p>
  if (!preview) return <p class="notice preview">{t('load.loading')}</p>
  const { dependents, orphaned, released, held } = preview
  return (
    <div class="preview" role="status">
      <Part text={t('delete.along', { n: dependents.count })} of={dependents} bad />
      {orphaned.count > 0 && <Part text={t('delete.orphaned', { n: orphaned.count })} of={orphaned} />}
      {released.count > 0 && <Part text={t('delete.released', { n: released.count })} of={released} />}
      {held.count > 0 && <HeldList of={held} />}
    </div>
  )
}

function Part({ text, of: { refs, count }, bad = false }: { text: string; of: Listed; bad?: boolean }) {
  if (count === 0) return <p class="none">{text}</p>
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

/** RefLink links to an object, in a new tab so that the dialog stays open. */
function RefLink({ of: r }: { of: Ref }) {
  if (!resources.value.has(r.resource)) return <span>{r.name}</span>
  return (
    <a href={objectHref(r.resource, r.namespace, r.name)} target="_blank" rel="noreferrer">
      {r.name}
    </a>
  )
}

function HeldList({ of: { refs, count } }: { of: Listed<Held> }) {
  return (
    <div class="notice warn">
      {t('delete.held', { n: count })}
      <ul>
        {refs.slice(0, 20).map((h) => (
          <li key={h.uid}>
            {h.kind} <RefLink of={h} />:{' '}
            {h.node ? t('delete.heldNode', { node: h.node }) : t('delete.heldBy', { finalizers: (h.finalizers ?? []).join(', ') })}
          </li>
        ))}
      </ul>
    </div>
  )
}
