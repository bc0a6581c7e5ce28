import { useMemo, useState } from 'preact/hooks'
import type { Whole } from '../../api/form'
import type { KubeObject } from '../../api/object'
import { type Resource, resources } from '../../api/resource'
import { type Selection, useObjects } from '../../api/use'
import { t } from '../../i18n'
import { at, objectHref, route, setQuery, tableHref } from '../../route'
import { titleOf } from '../../shell/kind'
import { diffObjects, shortPath, summaryOf } from '../../time/diff'
import { type State, StateMark } from '../../ui/state'
import { Trouble } from '../../ui/trouble'
import { Diff } from './diff'
import { compareItems } from './sets'
import './changes.css'

/**
 * ComparePage compares the moment that is shown with now: one object, or all objects of a table.
 */
export function ComparePage() {
  const { of = 'pods', name } = route.value.query
  const resource = resources.value.get(of)
  const kinds = [...resources.value.values()].filter((r) => r.verbs.includes('watch')).sort((a, b) => a.kind.localeCompare(b.kind))
  return (
    <>
      <div class="page-head">
        <h1>{t('compare.title')}</h1>
        <div class="page-actions">
          {resource && name && <a href={objectHref(of, route.value.query.ns, name)}>{`${resource.kind} ${name}`}</a>}
          {resource && !name && <a href={tableHref(of, kept())}>{titleOf(resource)}</a>}
          {!name && (
            <select aria-label={t('compare.pick')} value={of} onChange={(e) => setQuery({ of: e.currentTarget.value }, false)}>
              {kinds.map((r) => (
                <option key={r.id} value={r.id}>
                  {r.kind}
                  {r.group === '' ? '' : ` (${r.group})`}
                </option>
              ))}
            </select>
          )}
        </div>
      </div>
      {!resource && <p class="notice bad">{t('load.unknownKind', { name: of })}</p>}
      {resource && at.value === null && <p class="notice">{t('compare.choose')}</p>}
      {resource && at.value !== null && <Comparison resource={resource} name={name} />}
    </>
  )
}

/** kept returns the settings of the table from which the comparison was opened. */
function kept(): Record<string, string> {
  const q = route.value.query
  return Object.fromEntries(['ns', 'l', 'f'].flatMap((k) => (q[k] ? [[k, q[k]]] : [])))
}

function Comparison({ resource, name }: { resource: Resource; name: string | undefined }) {
  const { ns, l, f } = route.value.query
  const what: Selection = { resource, namespace: ns, labels: l, fields: name ? `metadata.name=${name}` : f }
  const then = useObjects<KubeObject>(what)
  const now = useObjects<KubeObject>({ ...what, at: null })
  const compared = useMemo(() => compareItems(then.items, now.items), [then.items, now.items, then.changed, now.changed])
  const there = then.phase === 'past' && now.phase === 'live'
  if (!there) return <Trouble of={then.phase === 'past' ? now : then} />
  if (name) return <One was={[...then.items.values()][0]} is={[...now.items.values()][0]} />
  const { added, gone, changed, same } = compared
  return (
    <>
      <p class="compare-counts">{t('compare.counts', { added: added.length, gone: gone.length, changed: changed.length, same })}</p>
      <Group title={t('compare.changed')} state="busy" of={changed} />
      <Group title={t('compare.new')} state="ok" of={added.map((is) => ({ is }))} />
      <Group title={t('compare.gone')} state="bad" of={gone.map((was) => ({ was }))} />
    </>
  )
}

/** Pair is one object then and now. */
interface Pair {
  readonly was?: Whole | undefined
  readonly is?: Whole | undefined
}

function One({ was, is }: Pair) {
  if (!was && !is) return <p class="notice">{t('compare.neither')}</p>
  const replaced = was && is && was.meta.uid !== is.meta.uid
  const changes = diffObjects(was?.object, is?.object)
  return (
    <>
      {!was && <p class="notice">{t('compare.notYet')}</p>}
      {!is && <p class="notice warn">{t('compare.goneSince')}</p>}
      {replaced && <p class="notice warn">{t('compare.replaced')}</p>}
      {changes.length === 0 ? <p class="notice">{t('compare.same')}</p> : <Diff changes={changes} />}
    </>
  )
}

/** shownAtFirst is how many objects of a group are shown before "more" is chosen. */
const shownAtFirst = 100

function Group({ title, state, of }: { title: string; state: State; of: readonly Pair[] }) {
  const [shown, setShown] = useState(shownAtFirst)
  if (of.length === 0) return null
  return (
    <section class="compare-group" aria-label={title}>
      <h2>
        <StateMark state={state} quiet /> {title} <small class="faint">{of.length}</small>
      </h2>
      {of.slice(0, shown).map((p) => (
        <Row key={p.is?.meta.uid ?? p.was?.meta.uid} {...p} />
      ))}
      {of.length > shown && (
        <button type="button" onClick={() => setShown(shown + 5 * shownAtFirst)}>
          {t('changes.more', { n: of.length - shown })}
        </button>
      )}
    </section>
  )
}

function Row({ was, is }: Pair) {
  const [open, setOpen] = useState(false)
  const meta = (is ?? was)?.meta
  const changes = useMemo(() => (was && is ? diffObjects(was.object, is.object) : []), [was, is])
  const summary = summaryOf(changes, 4)
  if (!meta) return null
  return (
    <details class="compare-row" onToggle={(e) => setOpen(e.currentTarget.open)}>
      <summary>
        {meta.namespace ? <span class="faint">{meta.namespace}/</span> : ''}
        {meta.name}{' '}
        <span class="change-fields">
          {summary.paths.map(shortPath).join(', ')} {summary.more > 0 && t('changes.more', { n: summary.more })}
        </span>
      </summary>
      {open && <Diff changes={diffObjects(was?.object, is?.object)} />}
    </details>
  )
}
