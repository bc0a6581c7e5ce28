import { useEffect, useState } from 'preact/hooks'
import { type ApiError, getJSON } from '../api/http'
import { fullName } from '../api/object'
import { t } from '../i18n'
import { Dialog } from '../ui/dialog'
import { ActButton } from './able'
import { type ActionProps, done, type Target } from './action'
import { Foresight } from './foresight'
import type { Foretold } from './foretold'
import { Refusal } from './refusal'
import { type Propagation, propagations, remove } from './write'

/** How many objects of the preview are listed at most; the counts are of all. */
const listed = 200

/** foretell asks what a deletion would come to; propagation '' is as the kind has it. */
export async function foretell(
  { resource, object: { metadata: m } }: Target,
  propagation: Propagation | '',
  signal: AbortSignal,
): Promise<Foretold> {
  const query = { resource: resource.id, namespace: m.namespace, name: m.name, propagation, limit: listed }
  return getJSON<Foretold>('/rowlock/v1/deletion', { query, signal })
}

/** useForetold asks what would happen, again for each choice and each new version of the object. '' is how the kind has it. */
function useForetold(target: Target, choice: Propagation | ''): { foretold: Foretold | undefined; error: ApiError | null } {
  const [foretold, setForetold] = useState<Foretold>()
  const [error, setError] = useState<ApiError | null>(null)
  useEffect(() => {
    const stop = new AbortController()
    foretell(target, choice, stop.signal).then(
      (f) => {
        setForetold(f)
        setError(null)
      },
      (e: ApiError) => stop.signal.aborted || setError(e),
    )
    return () => stop.abort()
  }, [choice, target.object.metadata.resourceVersion])
  return { foretold, error }
}

/** Deletion asks how an object is to be deleted, shows what that would come to, and does it. */
export function Deletion(props: ActionProps) {
  const { resource, object, close } = props
  const m = object.metadata
  const [choice, setChoice] = useState<Propagation | ''>('')
  const [byDefault, setDefault] = useState<Propagation>()
  const [grace, setGrace] = useState('')
  const [exact, setExact] = useState(false)
  const [typed, setTyped] = useState('')
  const [error, setError] = useState<ApiError | null>(null)
  const [busy, setBusy] = useState(false)
  const { foretold, error: unforeseen } = useForetold(props, choice)
  useEffect(() => {
    if (choice === '' && foretold) setDefault(foretold.propagation)
  }, [foretold])
  const namespace = resource.id === 'namespaces'
  const chosen = choice === '' ? byDefault : choice
  const submit = async (e: Event) => {
    e.preventDefault()
    setBusy(true)
    setError(null)
    try {
      await remove(props, {
        ...(choice === '' ? {} : { propagation: choice }),
        grace: grace === '' ? undefined : Number(grace),
        resourceVersion: exact ? m.resourceVersion : '',
      })
      done(t('delete.done'), props)
      close()
    } catch (e) {
      setError(e as ApiError)
      setBusy(false)
    }
  }
  return (
    <Dialog title={t('delete.title', { kind: resource.kind, name: fullName(m) })} close={close} wide>
      <form onSubmit={submit}>
        <fieldset class="choice">
          <legend>{t('delete.propagation')}</legend>
          {propagations.map((p) => (
            <label key={p}>
              <input type="radio" name="propagation" checked={chosen === p} onChange={() => setChoice(p)} />
              <span>
                {p} {p === byDefault && <em>{t('delete.default')}</em>}
              </span>
              <small>{t(`delete.${p}`)}</small>
            </label>
          ))}
        </fieldset>
        <Foresight foretold={foretold?.propagation === chosen ? foretold : undefined} error={unforeseen} self={m.uid} />
        <details>
          <summary>{t('delete.more')}</summary>
          <label class="field">
            {t('delete.grace')}
            <input
              type="number"
              min="0"
              max="2147483647"
              value={grace}
              placeholder={t('delete.graceDefault')}
              onInput={(e) => setGrace(e.currentTarget.value)}
            />
          </label>
          <label>
            <input type="checkbox" checked={exact} onChange={(e) => setExact(e.currentTarget.checked)} />{' '}
            {t('delete.exact', { version: m.resourceVersion })}
          </label>
        </details>
        {namespace && (
          <label class="field">
            {t('delete.type', { name: m.name })}
            <input autocomplete="off" spellcheck={false} value={typed} onInput={(e) => setTyped(e.currentTarget.value)} />
          </label>
        )}
        <Refusal error={error} />
        <div class="row end">
          <button type="button" onClick={close}>
            {t('action.cancel')}
          </button>
          <ActButton submit kind="danger" busy={busy || (namespace && typed !== m.name)}>
            {t('act.delete')}
          </ActButton>
        </div>
      </form>
    </Dialog>
  )
}
