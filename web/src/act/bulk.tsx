import { useEffect, useState } from 'preact/hooks'
import type { ApiError } from '../api/http'
import { fullName, type KubeObject } from '../api/object'
import type { Resource } from '../api/resource'
import { shownNow } from '../clock/clock'
import { t } from '../i18n'
import { Dialog } from '../ui/dialog'
import { toast } from '../ui/toast'
import { ActButton } from './able'
import type { Target } from './action'
import { foretell } from './deletion'
import { Foresight } from './foresight'
import type { Foretold } from './foretold'
import { accessTo } from './may'
import { together } from './together'
import { restart, send } from './workload'
import { remove } from './write'

/** BulkProps is what the dialogs for several objects of a kind are given. */
export interface BulkProps {
  readonly resource: Resource
  readonly objects: readonly KubeObject[]
  readonly close: () => void
}

/** mostForetold is of how many objects the deletion is foretold; atOnce is how many requests are under way at the same time. */
const mostForetold = 50
const atOnce = 4

/** each does something with all of some things, a few at a time, and gathers what failed. */
async function each<T>(all: readonly T[], run: (one: T) => Promise<void>): Promise<{ one: T; error: ApiError }[]> {
  const left = [...all]
  const failed: { one: T; error: ApiError }[] = []
  const work = async () => {
    for (let one = left.shift(); one !== undefined; one = left.shift()) {
      const now = one
      await run(now).catch((error: ApiError) => failed.push({ one: now, error }))
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  return failed
}

/** BulkDeletion deletes several objects, after showing what that takes along. */
export function BulkDeletion(p: BulkProps) {
  const [foretold, setForetold] = useState<Foretold>()
  const [error, setError] = useState<ApiError | null>(null)
  useEffect(() => {
    const stop = new AbortController()
    const all: Foretold[] = []
    const ask = async (object: KubeObject) => {
      if (!stop.signal.aborted) all.push(await foretell({ resource: p.resource, object }, '', stop.signal))
    }
    void each(p.objects.slice(0, mostForetold), ask).then((failed) => {
      if (stop.signal.aborted) return
      setError(failed[0]?.error ?? null)
      setForetold(together(all, new Set(p.objects.map((o) => o.metadata.uid))))
    })
    return () => stop.abort()
  }, [])
  const n = p.objects.length
  return (
    <Bulk
      {...p}
      verb="delete"
      danger
      title={t('bulk.deleteTitle', { n })}
      submit={t('act.delete')}
      done="bulk.deleted"
      run={(of) => remove(of, {})}
    >
      <Foresight foretold={foretold} error={error} self="" />
      {n > mostForetold && <p class="reason">{t('bulk.foretold', { n: mostForetold })}</p>}
    </Bulk>
  )
}

/** BulkRestart replaces the Pods of several workloads. */
export function BulkRestart(p: BulkProps) {
  const run = async ({ resource, object }: Target) => {
    const act = restart(resource, object, shownNow.peek())
    if (typeof act === 'string') throw new Error(t(`workload.${act}`))
    await send(act)
  }
  return (
    <Bulk
      {...p}
      verb="patch"
      title={t('bulk.restartTitle', { n: p.objects.length })}
      submit={t('rollout.restart')}
      done="bulk.restarted"
      run={run}
    />
  )
}

/** Bulk lists the objects, does something to each, and stays open with those that it could not be done to. */
function Bulk(
  p: BulkProps & {
    verb: string
    title: string
    submit: string
    danger?: boolean
    done: 'bulk.deleted' | 'bulk.restarted'
    run: (of: Target) => Promise<void>
    children?: preact.ComponentChildren
  },
) {
  const [left, setLeft] = useState(p.objects)
  const [failed, setFailed] = useState<readonly { one: KubeObject; error: ApiError }[]>([])
  const [busy, setBusy] = useState(false)
  const submit = async (e: Event) => {
    e.preventDefault()
    setBusy(true)
    const refused = await each(left, (object) => p.run({ resource: p.resource, object }))
    if (left.length > refused.length) toast({ state: 'ok', text: t(p.done, { n: left.length - refused.length }) })
    setBusy(false)
    setFailed(refused)
    setLeft(refused.map((f) => f.one))
    if (refused.length === 0) p.close()
  }
  const needs = [...new Set(left.map((o) => o.metadata.namespace))].slice(0, 20).map((ns) => accessTo(p.verb, p.resource, ns))
  return (
    <Dialog title={p.title} close={p.close} wide>
      <form onSubmit={submit}>
        <ul class="plain-list bulk-names">
          {left.map((o) => (
            <li key={o.metadata.uid}>{fullName(o.metadata)}</li>
          ))}
        </ul>
        {p.children}
        {failed.length > 0 && (
          <ul class="notice bad" role="alert">
            {failed.slice(0, 20).map(({ one, error }) => (
              <li key={one.metadata.uid}>{t('act.refused', { what: fullName(one.metadata), message: error.message })}</li>
            ))}
          </ul>
        )}
        <div class="row end">
          <button type="button" onClick={p.close}>
            {t('action.cancel')}
          </button>
          <ActButton submit kind={p.danger ? 'danger' : 'primary'} needs={needs} busy={busy}>
            {p.submit}
          </ActButton>
        </div>
      </form>
    </Dialog>
  )
}
