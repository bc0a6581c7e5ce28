import { useEffect, useState } from 'preact/hooks'
import { ActButton } from '../../act/able'
import { Confirm } from '../../act/confirm'
import { Refusal } from '../../act/refusal'
import { send } from '../../api/http'
import { base } from '../../base'
import { formatTime, t } from '../../i18n'
import { at, href } from '../../route'
import { toast } from '../../ui/toast'
import { made, making } from './making'
import { clusterHref, type Fork, forkPath, makeRight, useForks } from './read'
import './fork.css'

const overview = { page: 'overview', query: {} } as const

/** ForksPage lists, creates, compares and deletes forks. */
export function ForksPage() {
  const { items, error, again } = useForks()
  const [going, setGoing] = useState<Fork | null>(null)
  useEffect(() => {
    if (made.value > 0) again()
  }, [made.value])
  return (
    <>
      <div class="page-head">
        <h1>{t('fork.title')}</h1>
        <div class="page-actions">
          <a class="button" href={href({ page: 'other', name: 'snapshots', query: {} })}>
            {t('snapshot.title')}
          </a>
          {base.fork === '' && (
            <ActButton
              kind="primary"
              needs={makeRight}
              dialog
              then
              run={() => {
                making.value = at.value === null ? {} : { at: at.value }
              }}
            >
              {t('fork.make')}
            </ActButton>
          )}
        </div>
      </div>
      <p class="faint measure">{t('fork.about')}</p>
      {base.fork !== '' && (
        <p class="notice">
          {t('fork.inside', { name: base.fork })}{' '}
          <a href={clusterHref('', { page: 'other', name: 'forks', query: {} })}>{t('fork.main')}</a>
        </p>
      )}
      <Refusal error={error} />
      {items?.length === 0 && <p class="notice">{t('fork.none')}</p>}
      {items && items.length > 0 && (
        <ul class="cards" aria-label={t('fork.title')}>
          {items.map((f) => (
            <One key={f.name} of={f} remove={() => setGoing(f)} />
          ))}
        </ul>
      )}
      {going && <Remove of={going} close={() => setGoing(null)} again={again} />}
    </>
  )
}

function One({ of: f, remove }: { of: Fork; remove: () => void }) {
  const from = f.snapshot ? t('fork.fromSnapshot', { name: f.snapshot }) : t('fork.fromRevision', { revision: f.revision ?? 0 })
  const ready = f.state === 'ready'
  return (
    <li class="card" aria-label={f.name}>
      <h2>
        {ready ? <a href={clusterHref(f.name, overview)}>{f.name}</a> : f.name}{' '}
        {!ready && <small class="faint">{t(f.state === 'making' ? 'fork.making' : 'fork.removing')}</small>}
        {base.fork === f.name && <small class="faint">{t('fork.here')}</small>}
      </h2>
      <p>{from}</p>
      <p class="faint">
        {t('fork.created', { at: formatTime(new Date(f.created)) })}
        {f.expires && ` · ${t('fork.expires', { at: formatTime(new Date(f.expires)) })}`}
      </p>
      <p class="row">
        {ready && <a href={clusterHref(f.name, overview)}>{t('fork.open')}</a>}
        {ready && <a href={href({ page: 'other', name: 'difference', query: { fork: f.name } })}>{t('fork.compare')}</a>}
        <ActButton
          kind="danger"
          needs={[{ verb: 'delete', path: forkPath(f.name) }]}
          dialog
          then
          busy={f.state === 'removing' || base.fork === f.name}
          run={remove}
        >
          {t('fork.delete')}
        </ActButton>
      </p>
    </li>
  )
}

function Remove({ of, close, again }: { of: Fork; close: () => void; again: () => void }) {
  const run = async () => {
    await send(forkPath(of.name), { method: 'DELETE', of: '' })
    toast({ state: 'ok', text: t('fork.deleted', { name: of.name }) })
    again()
  }
  return (
    <Confirm title={t('fork.deleteTitle', { name: of.name })} submit={t('fork.delete')} close={close} run={run} then danger>
      <p>{t('fork.deleteAbout')}</p>
    </Confirm>
  )
}
