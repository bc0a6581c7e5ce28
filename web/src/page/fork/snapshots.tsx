import { useRef, useState } from 'preact/hooks'
import { ActButton } from '../../act/able'
import { refused } from '../../act/action'
import { Confirm } from '../../act/confirm'
import { Refusal } from '../../act/refusal'
import { getJSON, send } from '../../api/http'
import { base } from '../../base'
import { formatNumber, formatTime, t } from '../../i18n'
import { at, href } from '../../route'
import { download } from '../../ui/download'
import { toast } from '../../ui/toast'
import { making } from './making'
import { makeRight, type Snapshot, snapshotPath, snapshotsPath, useSnapshots } from './read'
import './fork.css'

type Doing = { readonly what: 'save' } | { readonly what: 'load' | 'delete'; readonly of: Snapshot }

/** SnapshotsPage lists, saves, loads, downloads and deletes snapshots. */
export function SnapshotsPage() {
  const { items, error, again } = useSnapshots()
  const [doing, setDoing] = useState<Doing | null>(null)
  const close = () => setDoing(null)
  return (
    <>
      <div class="page-head">
        <h1>{t('snapshot.title')}</h1>
        <div class="page-actions">
          <a class="button" href={href({ page: 'other', name: 'forks', query: {} })}>
            {t('fork.title')}
          </a>
          <Upload again={again} />
          <ActButton kind="primary" needs={[{ verb: 'post', path: snapshotsPath }]} dialog then run={() => setDoing({ what: 'save' })}>
            {t('snapshot.save')}
          </ActButton>
        </div>
      </div>
      <p class="faint measure">{t('snapshot.about')}</p>
      <Refusal error={error} />
      {items?.length === 0 && <p class="notice">{t('snapshot.none')}</p>}
      {items && items.length > 0 && (
        <ul class="cards" aria-label={t('snapshot.title')}>
          {items.map((s) => (
            <One key={s.name} of={s} start={(what) => setDoing({ what, of: s })} />
          ))}
        </ul>
      )}
      {doing?.what === 'save' && <Save close={close} again={again} />}
      {doing?.what === 'load' && <Load of={doing.of} close={close} />}
      {doing?.what === 'delete' && <Remove of={doing.of} close={close} again={again} />}
    </>
  )
}

/** nameOf derives a snapshot's name from a file name. */
export function nameOf(file: string): string {
  const name = file
    .replace(/\.[^.]*$/, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
  return (
    name
      .replace(/^-+|-+$/g, '')
      .slice(0, 63)
      .replace(/-+$/, '') || 'snapshot'
  )
}

/** uploadRight is the right to store a file as a snapshot. */
const uploadRight = [{ verb: 'put', path: snapshotPath('snapshot', '/file') }]

function Upload({ again }: { again: () => void }) {
  const field = useRef<HTMLInputElement>(null)
  const [busy, setBusy] = useState(false)
  const take = async (file: File | undefined) => {
    if (!file) return
    setBusy(true)
    try {
      const kept = await getJSON<Snapshot>(snapshotPath(nameOf(file.name), '/file'), {
        method: 'PUT',
        type: 'application/gzip',
        body: file,
      })
      toast({ state: 'ok', text: t('snapshot.kept', { name: kept.name }) })
    } catch (e) {
      refused(t('snapshot.upload'), e)
    }
    setBusy(false)
    if (field.current) field.current.value = ''
    again()
  }
  return (
    <>
      <input
        ref={field}
        type="file"
        class="unseen"
        tabIndex={-1}
        aria-label={t('snapshot.upload')}
        onChange={(e) => void take(e.currentTarget.files?.[0])}
      />
      <ActButton needs={uploadRight} then busy={busy} run={() => field.current?.click()}>
        {t('snapshot.upload')}
      </ActButton>
    </>
  )
}

/** sizeOf formats a number of bytes. */
const sizeOf = (bytes: number): string =>
  bytes < 1024
    ? `${bytes} B`
    : bytes < 1 << 20
      ? `${formatNumber(Math.round(bytes / 1024))} KiB`
      : `${formatNumber(Math.round(bytes / (1 << 20)))} MiB`

function One({ of: s, start }: { of: Snapshot; start: (what: 'load' | 'delete') => void }) {
  const state = s.contents === 'state'
  const save = async () => {
    try {
      await download(snapshotPath(s.name, '/file'), `${s.name}.snapshot`)
    } catch (e) {
      refused(t('snapshot.download'), e)
    }
  }
  return (
    <li class="card" aria-label={s.name}>
      <h2>{s.name}</h2>
      <p>
        {state
          ? t('snapshot.state', { revision: s.revision, at: formatTime(new Date(s.time)) })
          : t('snapshot.log', { from: s.from ?? 0, to: s.revision })}
      </p>
      <p class="faint">
        {t('snapshot.saved', { at: formatTime(new Date(s.saved)) })} · {t('snapshot.records', { n: s.records })} · {sizeOf(s.bytes)}
      </p>
      <p class="row">
        {state && (
          <ActButton needs={[{ verb: 'post', path: snapshotPath(s.name, '/load') }]} dialog run={() => start('load')}>
            {t('snapshot.load')}
          </ActButton>
        )}
        {state && base.fork === '' && (
          <ActButton
            needs={makeRight}
            dialog
            then
            run={() => {
              making.value = { snapshot: s.name }
            }}
          >
            {t('snapshot.fork')}
          </ActButton>
        )}
        <ActButton needs={[{ verb: 'get', path: snapshotPath(s.name, '/file') }]} then run={() => void save()}>
          {t('snapshot.download')}
        </ActButton>
        <ActButton kind="danger" needs={[{ verb: 'delete', path: snapshotPath(s.name) }]} dialog then run={() => start('delete')}>
          {t('snapshot.delete')}
        </ActButton>
      </p>
    </li>
  )
}

function Save({ close, again }: { close: () => void; again: () => void }) {
  const [name, setName] = useState('')
  const revision = at.value
  const run = async () => {
    const body = { name: name.trim(), ...(revision === null ? {} : { revision }) }
    const kept = await getJSON<Snapshot>(snapshotsPath, { method: 'POST', body })
    toast({ state: 'ok', text: t('snapshot.kept', { name: kept.name }) })
    again()
  }
  return (
    <Confirm title={t('snapshot.save')} submit={t('snapshot.save')} close={close} run={run} then disabled={name.trim() === ''}>
      <p>{revision === null ? t('snapshot.saveNow') : t('snapshot.saveThen', { revision })}</p>
      <label class="field">
        {t('field.name')}
        <input value={name} required spellcheck={false} placeholder="before-upgrade" onInput={(e) => setName(e.currentTarget.value)} />
        <small class="reason">{t('fork.nameAbout')}</small>
      </label>
    </Confirm>
  )
}

function Load({ of, close }: { of: Snapshot; close: () => void }) {
  const [clock, setClock] = useState('')
  const run = async () => {
    const body = { replace: true, ...(clock === '' ? {} : { clock }) }
    await send(snapshotPath(of.name, '/load'), { method: 'POST', body })
    toast({ state: 'ok', text: t('snapshot.loaded', { name: of.name }) })
  }
  return (
    <Confirm title={t('snapshot.loadTitle', { name: of.name })} submit={t('snapshot.load')} close={close} run={run} danger>
      <p class="notice warn">{t('snapshot.loadAbout')}</p>
      <label class="field">
        {t('fork.clock')}
        <select value={clock} onChange={(e) => setClock(e.currentTarget.value)}>
          <option value="">{t('snapshot.clockSaved')}</option>
          <option value="running">{t('fork.clockRunning')}</option>
          <option value="paused">{t('fork.clockPaused')}</option>
        </select>
      </label>
    </Confirm>
  )
}

function Remove({ of, close, again }: { of: Snapshot; close: () => void; again: () => void }) {
  const run = async () => {
    await send(snapshotPath(of.name), { method: 'DELETE' })
    toast({ state: 'ok', text: t('snapshot.deleted', { name: of.name }) })
    again()
  }
  return (
    <Confirm title={t('snapshot.deleteTitle', { name: of.name })} submit={t('snapshot.delete')} close={close} run={run} then danger>
      <p>{t('snapshot.deleteAbout')}</p>
    </Confirm>
  )
}
