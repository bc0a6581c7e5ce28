import { useEffect, useMemo, useState } from 'preact/hooks'
import { resourceOfKind, resources } from '../api/resource'
import { t } from '../i18n'
import { at, route } from '../route'
import { useLoaded } from '../ui/slot'
import { toast } from '../ui/toast'
import { useHindrance } from './able'
import { type Outcome, tryAll, wellChecked } from './creation'
import { FieldDoc } from './fielddoc'
import { draftKey, drafts } from './kept'
import { lineOf, longestText, type Manifests, type Problem, readManifests } from './manifest'
import { accessTo } from './may'
import { Outcomes } from './outcomes'
import { Past } from './past'
import type { Span } from './place'
import { ProblemList } from './problems'
import { Restored } from './restored'
import { Schemas } from './schema'
import { startOf, starts } from './starts'

const editor = () => import('./editor').then((m) => m.Editor)

/** problemsIn returns the problems that are found without the server. */
function problemsIn(read: Manifests): Problem[] {
  return [...read.syntax, ...read.incomplete.map((i) => ({ ...i, severity: 'error' as const, message: t(`write.missing.${i.missing}`) }))]
}

/** key is the key of this page's draft. */
const key = draftKey('new')

/** Create is the page that creates objects from YAML. */
export function Create() {
  const first = startOf(resources.value.get(route.value.query.kind ?? ''))
  const [draft, setDraft] = useState(() => drafts.of(key))
  const [text, setText] = useState(draft?.text ?? first)
  const [tried, setTried] = useState<{ text: string; outcomes: readonly Outcome[] }>()
  const [seed, setSeed] = useState(0)
  const [busy, setBusy] = useState(false)
  const [shown, setShown] = useState<Span>()
  const read = useMemo(() => readManifests(text), [text])
  const Editor = useLoaded(editor)
  const schemas = useMemo(() => new Schemas(), [])
  const [place, setPlace] = useState(0)
  const fallback = route.value.query.ns || 'default'
  const current = tried?.text === text ? tried.outcomes : undefined
  const problems = useMemo(() => [...problemsIn(read), ...(current ?? []).flatMap((o) => o.problems)], [read, current])
  const needs = read.all.flatMap((m) => {
    const r = resourceOfKind(m.apiVersion, m.kind)
    return r ? [accessTo('create', r, r.namespaced ? m.namespace || fallback : undefined)] : []
  })
  const why = useHindrance(needs)
  const pristine =
    [first, ...Object.values(starts)].includes(text) || text.trim() === '' || (current ?? []).some((o) => o.state === 'created')
  useEffect(() => {
    if (pristine) drafts.drop(key)
    else drafts.keep(key, { text, at: Date.now() })
  }, [text, pristine])
  const submit = async (create: boolean) => {
    const ready = read.all.length > 0 && read.syntax.length === 0 && read.incomplete.length === 0
    if (busy || why !== '' || !ready) return
    setBusy(true)
    const checked = await tryAll(read.all, fallback, true)
    setTried({ text, outcomes: checked })
    if (create && wellChecked(checked)) {
      const created = await tryAll(read.all, fallback, false)
      setTried({ text, outcomes: created })
      tell(created)
    }
    setBusy(false)
  }
  const start = (manifest: string, add: boolean) => {
    setText(begin(text, manifest, add))
    setSeed(seed + 1)
  }
  return (
    <>
      <h1>{t('write.create')}</h1>
      {at.value !== null && <Past />}
      {why !== '' && at.value === null && <p class="notice warn">{why}</p>}
      {draft && !pristine && (
        <Restored
          at={draft.at}
          discard={() => {
            setDraft(undefined)
            start(first, false)
          }}
        />
      )}
      <div class="write">
        <div>
          <fieldset class="choice starts">
            <legend>{t('write.start')}</legend>
            {Object.entries(starts).map(([kind, manifest]) => (
              <button key={kind} type="button" title={t('write.append')} onClick={(e) => start(manifest, e.shiftKey)}>
                {kind}
              </button>
            ))}
          </fieldset>
          {Editor ? (
            <Editor
              text={text}
              seed={seed}
              label={t('write.label')}
              problems={problems}
              locked={busy}
              shown={shown}
              schemas={schemas}
              changed={setText}
              moved={setPlace}
              submit={() => void submit(true)}
            />
          ) : (
            <p class="notice">{t('load.loading')}</p>
          )}
          {text.length > longestText && <p class="notice bad">{t('write.long')}</p>}
          <div class="row">
            <button
              type="button"
              class="primary"
              disabled={busy || why !== '' || problemsIn(read).length > 0 || read.all.length === 0}
              title={why || undefined}
              onClick={() => void submit(true)}
            >
              {t('write.submit', { n: read.all.length })}
            </button>
            <button
              type="button"
              disabled={busy || why !== '' || problemsIn(read).length > 0 || read.all.length === 0}
              title={why || undefined}
              onClick={() => void submit(false)}
            >
              {t('write.check')}
            </button>
            <span class="reason">{t('write.fallback', { namespace: fallback })}</span>
          </div>
        </div>
        <aside aria-label={t('write.outcome')}>
          <ProblemList problems={problems} line={(p) => lineOf(text, p.from)} show={(p) => setShown({ ...p })} />
          {current && <Outcomes of={current} />}
          <FieldDoc text={text} at={place} schemas={schemas} />
        </aside>
      </div>
    </>
  )
}

/** begin replaces the text with a start, or appends the start as another document. */
function begin(text: string, start: string, add: boolean): string {
  return add && text.trim() !== '' ? `${text.trimEnd()}\n---\n${start}` : start
}

/** tell reports the outcomes in a notification. */
function tell(outcomes: readonly Outcome[]): void {
  const made = outcomes.filter((o) => o.state === 'created').length
  const failed = outcomes.length - made
  if (failed === 0) toast({ state: 'ok', text: t('write.created', { n: made }) })
  else toast({ state: 'warn', text: t('write.partly', { n: made, failed }) })
}
