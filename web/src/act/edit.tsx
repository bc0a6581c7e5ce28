import { useEffect, useMemo, useState } from 'preact/hooks'
import type { ApiError } from '../api/http'
import { outage } from '../api/link'
import type { KubeObject } from '../api/object'
import { t } from '../i18n'
import type { TabProps } from '../page/object/tabprops'
import { at } from '../route'
import { DiffView } from '../ui/diffview'
import { useLoaded } from '../ui/slot'
import { useHindrance } from './able'
import { done } from './action'
import { Conflicts } from './conflicts'
import { clean, write } from './draft'
import { FieldDoc } from './fielddoc'
import { draftKey, drafts } from './kept'
import { lineOf, type Problem, readManifests } from './manifest'
import { accessTo } from './may'
import { Past } from './past'
import type { Span } from './place'
import { problemsOf, warningsOf } from './problem'
import { ProblemList } from './problems'
import { Refusal } from './refusal'
import { Restored } from './restored'
import { save } from './save'
import { Schemas } from './schema'

const editor = () => import('./editor').then((m) => m.Editor)

/** Review is the server's answer to a dry run of a text. */
interface Review {
  readonly text: string
  readonly after?: KubeObject
  readonly problems: readonly Problem[]
  readonly error: ApiError | null
}

/**
 * Edit edits an object as YAML. It previews the changes, and merges concurrent changes by others.
 */
export function Edit({ resource, object }: TabProps) {
  const { namespace, name, uid } = object.metadata
  const key = draftKey(resource.id, namespace, name)
  const [draft, setDraft] = useState(() => drafts.of(key))
  const [base, setBase] = useState(() => (draft?.from?.metadata.uid === uid ? draft.from : object))
  const original = useMemo(() => write(clean(resource, base)), [base])
  const [text, setText] = useState(draft?.text ?? original)
  const [kept, setKept] = useState(true)
  useEffect(() => {
    if (text === original) drafts.drop(key)
    else setKept(drafts.keep(key, { text, from: base, at: Date.now() }))
  }, [text, original])
  const [review, setReview] = useState<Review>()
  const [live, setLive] = useState<KubeObject>()
  const [seed, setSeed] = useState(0)
  const [busy, setBusy] = useState(false)
  const [shown, setShown] = useState<Span>()
  const Editor = useLoaded(editor)
  const schemas = useMemo(() => new Schemas(), [])
  const [place, setPlace] = useState(0)
  const read = useMemo(() => readManifests(text), [text])
  const current = review?.text === text ? review : undefined
  const problems = useMemo(() => [...read.syntax, ...(current?.problems ?? [])], [read, current])
  const past = at.value !== null
  const why = useHindrance([accessTo('update', resource, namespace)])
  // Changes by others that the page has seen, before the server reports a conflict.
  const newer = object.metadata.resourceVersion !== base.metadata.resourceVersion ? object : undefined
  const theirs = live ?? (newer && write(clean(resource, newer)) !== original ? newer : undefined)
  const [manifest] = read.all
  const ready = !busy && why === '' && text !== original && read.syntax.length === 0 && manifest !== undefined && read.all.length === 1
  const merged = (onto: KubeObject, next: string) => {
    setBase(onto)
    setText(next)
    setSeed(seed + 1)
    setLive(undefined)
    setReview(undefined)
  }
  const begin = (from: KubeObject) => {
    setDraft(undefined)
    merged(from, write(clean(resource, from)))
  }
  const submit = async (dry: boolean) => {
    if (!ready || !manifest) return
    setBusy(true)
    try {
      const saved = await save(resource, base, text, dry)
      if (saved.state === 'conflict') setLive(saved.live)
      else if (dry) setReview({ text, after: saved.object, problems: warningsOf(manifest, saved.warnings), error: null })
      else {
        done(t('write.saved'), { resource, object: saved.object })
        begin(saved.object)
      }
    } catch (e) {
      const error = e as ApiError
      setReview({ text, problems: problemsOf(manifest, { ...error.status, message: error.message }), error })
    }
    setBusy(false)
  }
  return (
    <>
      {past && <Past />}
      {why !== '' && !past && <p class="notice warn">{why}</p>}
      {draft && text !== original && <Restored at={draft.at} discard={() => begin(newer ?? base)} />}
      {!kept && <p class="notice warn">{t('draft.full')}</p>}
      {theirs && <Conflicts resource={resource} base={base} theirs={theirs} text={text} merged={merged} />}
      <div class="write">
        <div>
          {Editor ? (
            <Editor
              text={text}
              seed={seed}
              label={t('write.editLabel', { kind: resource.kind, name: object.metadata.name })}
              problems={problems}
              locked={busy || (why !== '' && outage.value === null)}
              shown={shown}
              schemas={schemas}
              changed={setText}
              moved={setPlace}
              submit={() => void submit(true)}
            />
          ) : (
            <p class="notice">{t('load.loading')}</p>
          )}
          <div class="row">
            <button
              type="button"
              class={current?.after ? '' : 'primary'}
              disabled={!ready}
              title={why || undefined}
              onClick={() => void submit(true)}
            >
              {t('write.review')}
            </button>
            <button
              type="button"
              class={current?.after ? 'primary' : ''}
              disabled={!ready || !current?.after}
              title={why || undefined}
              onClick={() => void submit(false)}
            >
              {t('write.save')}
            </button>
            <button type="button" disabled={busy || text === original} onClick={() => begin(newer ?? base)}>
              {t('write.reset')}
            </button>
          </div>
        </div>
        <aside aria-label={t('write.changes')}>
          {read.all.length !== 1 && read.syntax.length === 0 && <p class="notice warn">{t('write.one')}</p>}
          {current?.error && !current.problems.some((p) => p.field) && <Refusal error={current.error} />}
          <ProblemList problems={problems} line={(p) => lineOf(text, p.from)} show={(p) => setShown({ ...p })} />
          {current?.after ? (
            <>
              <h2>{t('write.changes')}</h2>
              <DiffView before={original} after={write(clean(resource, current.after))} label={t('write.changes')} />
            </>
          ) : (
            <p class="reason">{t('write.reviewFirst')}</p>
          )}
          <FieldDoc text={text} at={place} schemas={schemas} />
        </aside>
      </div>
    </>
  )
}
