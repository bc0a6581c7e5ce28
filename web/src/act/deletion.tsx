import { useEffect, useState } from 'preact/hooks'
import type { ApiError } from '../api/http'
import { fullName, type KubeObject } from '../api/object'
import { readJSON } from '../api/read'
import type { Resource } from '../api/resource'
import { t } from '../i18n'
import { Dialog } from '../ui/dialog'
import { toast } from '../ui/toast'
import { ActButton } from './able'
import { type ActionProps, done, type Target } from './action'
import { Failures, forEach, ObjectList, useBatch } from './batch'
import { accessTo } from './may'
import { type Answer, confirmation, mergePreviews, type Preview } from './preview'
import { PreviewView } from './previewview'
import { type Propagation, propagations, remove } from './write'

/** previewLimit is how many affected objects are listed for each deletion; counts include all. */
const previewLimit = 200

/** maxPreviewed is the number of objects whose deletion is previewed. */
const maxPreviewed = 50

/** DeletionProps are the props of the dialog that deletes objects of one kind. */
export interface DeletionProps {
  readonly resource: Resource
  readonly objects: readonly KubeObject[]
  readonly close: () => void
}

/** Deletion is the dialog for one object. */
export function Deletion({ resource, object, close }: ActionProps) {
  return <DeletionDialog resource={resource} objects={[object]} close={close} />
}

/** askPreview asks the server what a deletion would change; propagation '' is the kind's own. */
function askPreview({ resource, object: { metadata: m } }: Target, propagation: Propagation | '', signal: AbortSignal): Promise<Answer> {
  const query = { resource: resource.id, namespace: m.namespace, name: m.name, propagation, limit: previewLimit }
  return readJSON<Answer>('/rowlock/v1/deletion', { query, signal })
}

interface Previewed {
  readonly choice: Propagation | ''
  readonly propagation: Propagation | undefined
  readonly preview: Preview
  readonly error: ApiError | null
}

/**
 * usePreview asks the server for previews, again for each choice and each new version of the
 * objects.
 */
function usePreview(resource: Resource, objects: readonly KubeObject[], choice: Propagation | ''): Previewed | undefined {
  const [previewed, setPreviewed] = useState<Previewed>()
  useEffect(() => {
    const stop = new AbortController()
    const answers: Answer[] = []
    const ask = async (object: KubeObject) => {
      if (!stop.signal.aborted) answers.push(await askPreview({ resource, object }, choice, stop.signal))
    }
    void forEach(objects.slice(0, maxPreviewed), ask).then((failed) => {
      if (stop.signal.aborted) return
      const preview = mergePreviews(answers, new Set(objects.map((o) => o.metadata.uid)))
      setPreviewed({ choice, propagation: answers[0]?.propagation, preview, error: (failed[0]?.error as ApiError) ?? null })
    })
    return () => stop.abort()
  }, [choice, objects.map((o) => o.metadata.resourceVersion).join()])
  return previewed
}

/** DeletionDialog asks how to delete objects, previews the effects, and deletes them. */
export function DeletionDialog({ resource, objects, close }: DeletionProps) {
  const [choice, setChoice] = useState<Propagation | ''>('')
  const [byDefault, setDefault] = useState<Propagation>()
  const [more, setMore] = useState<More>({ grace: '', exact: false })
  const [typed, setTyped] = useState('')
  const [first] = objects
  const single = objects.length === 1 ? first : undefined
  const previewed = usePreview(resource, objects, choice)
  useEffect(() => {
    if (previewed?.choice === '') setDefault(previewed.propagation)
  }, [previewed])
  const batch = useBatch(objects, (object) =>
    remove(
      { resource, object },
      {
        ...(choice === '' ? {} : { propagation: choice }),
        grace: more.grace === '' ? undefined : Number(more.grace),
        resourceVersion: more.exact ? object.metadata.resourceVersion : '',
      },
    ),
  )
  const submit = async (e: Event) => {
    e.preventDefault()
    const { changed, all } = await batch.start()
    if (single && all) done(t('delete.done'), { resource, object: single })
    else if (changed > 0) toast({ state: 'ok', text: t('bulk.deleted', { n: changed }) })
    if (all) close()
  }
  const toType = confirmation(
    resource.id,
    objects.map((o) => o.metadata.name),
  )
  const title = single
    ? t('delete.title', { kind: resource.kind, name: fullName(single.metadata) })
    : t('bulk.deleteTitle', { n: objects.length })
  return (
    <Dialog title={title} close={close} wide>
      <form onSubmit={submit}>
        {!single && <ObjectList of={batch.left} />}
        <PropagationChoice n={objects.length} chosen={choice === '' ? byDefault : choice} byDefault={byDefault} choose={setChoice} />
        <PreviewView preview={previewed?.choice === choice ? previewed.preview : undefined} error={previewed?.error ?? null} />
        {objects.length > maxPreviewed && <p class="reason">{t('bulk.previewed', { n: maxPreviewed })}</p>}
        <MoreSettings of={more} change={setMore} version={single?.metadata.resourceVersion} />
        {toType !== '' && (
          <label class="field">
            {t('delete.type', { text: toType })}
            <input autocomplete="off" spellcheck={false} value={typed} onInput={(e) => setTyped(e.currentTarget.value)} />
          </label>
        )}
        <Failures of={batch} />
        <div class="row end">
          <button type="button" onClick={close}>
            {t('action.cancel')}
          </button>
          <ActButton submit kind="danger" needs={needsOf(resource, batch.left)} busy={batch.busy || typed !== toType}>
            {t('act.delete')}
          </ActButton>
        </div>
      </form>
    </Dialog>
  )
}

/**
 * needsOf returns the right to delete in the first namespaces of the objects; the server checks all
 * of them.
 */
const needsOf = (resource: Resource, objects: readonly KubeObject[]) =>
  [...new Set(objects.map((o) => o.metadata.namespace))].slice(0, 20).map((ns) => accessTo('delete', resource, ns))

function PropagationChoice(p: {
  n: number
  chosen: Propagation | undefined
  byDefault: Propagation | undefined
  choose: (choice: Propagation) => void
}) {
  return (
    <fieldset class="choice">
      <legend>{t('delete.propagation')}</legend>
      {propagations.map((one) => (
        <label key={one}>
          <input type="radio" name="propagation" checked={p.chosen === one} onChange={() => p.choose(one)} />
          <span>
            {one} {one === p.byDefault && <em>{t('delete.default')}</em>}
          </span>
          <small>{t(`delete.${one}`, { n: p.n })}</small>
        </label>
      ))}
    </fieldset>
  )
}

/**
 * More holds the settings that are folded away: the grace period in seconds, '' for the object's
 * own, and whether a newer version is kept.
 */
interface More {
  readonly grace: string
  readonly exact: boolean
}

function MoreSettings({ of, change, version }: { of: More; change: (m: More) => void; version: string | undefined }) {
  return (
    <details>
      <summary>{t('delete.more')}</summary>
      <label class="field">
        {t('delete.grace')}
        <input
          type="number"
          min="0"
          max="2147483647"
          value={of.grace}
          placeholder={t('delete.graceDefault')}
          onInput={(e) => change({ ...of, grace: e.currentTarget.value })}
        />
      </label>
      {version !== undefined && (
        <label>
          <input type="checkbox" checked={of.exact} onChange={(e) => change({ ...of, exact: e.currentTarget.checked })} />{' '}
          {t('delete.exact', { version })}
        </label>
      )}
    </details>
  )
}
