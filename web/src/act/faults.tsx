import { useState } from 'preact/hooks'
import { type ApiError, send } from '../api/http'
import { presentNow } from '../clock/clock'
import { formatTime, t } from '../i18n'
import { at, href, objectHref } from '../route'
import { formatAge } from '../ui/age'
import { toast } from '../ui/toast'
import { ActButton } from './able'
import { refused } from './action'
import { AddFault } from './addfault'
import { type Faults, useFaults } from './faultfeed'
import type { Fault } from './faultrequest'
import { sentenceOf } from './faultwords'
import { Past } from './past'
import { Refusal } from './refusal'
import './act.css'

const faultsPath = '/rowlock/v1/faults'
const addRight = [{ verb: 'post', path: faultsPath }]
const liftRight = [{ verb: 'delete', path: faultsPath }]

/** FaultsPage lists the active faults and adds new ones. */
export function FaultsPage() {
  const faults = useFaults()
  const [adding, setAdding] = useState(false)
  return (
    <>
      <div class="page-head">
        <h1>{t('fault.all')}</h1>
        <div class="page-actions">
          <ActButton kind="primary" needs={addRight} dialog run={() => setAdding(true)}>
            {t('fault.add')}
          </ActButton>
        </div>
      </div>
      <p class="faint measure">{t('fault.about')}</p>
      {at.value !== null && <Past />}
      <FaultList faults={faults} />
      {faults.items.length === 0 && !faults.error && <p class="notice">{t('fault.none')}</p>}
      {adding && <AddFault close={() => setAdding(false)} again={faults.again} />}
    </>
  )
}

/**
 * FaultsNote says on the overview that faults are active, since they may be the cause of problems
 * shown there.
 */
export function FaultsNote({ faults }: { faults: Faults }) {
  const n = faults.items.length
  if (n === 0 || at.value !== null) return null
  const [first] = faults.items
  return (
    <p class="notice warn faults-note" role="status">
      {n === 1 && first ? t('fault.active', { what: sentenceOf(first) }) : t('fault.activeMany', { n })}{' '}
      <a href={href({ page: 'other', name: 'faults', query: {} })}>{t('fault.all')}</a>
    </p>
  )
}

/** FaultList lists faults, each with a button that lifts it. */
export function FaultList({ faults, only }: { faults: Faults; only?: (f: Fault) => boolean }) {
  const shown = only ? faults.items.filter(only) : faults.items
  return (
    <>
      <Refusal error={faults.error} />
      {shown.length > 0 && (
        <ul class="plain-list fault-list" aria-label={t('fault.all')}>
          {shown.map((f) => (
            <One key={f.name} fault={f} again={faults.again} />
          ))}
        </ul>
      )}
    </>
  )
}

/** Lift is the button that lifts a fault. */
export function Lift({ fault: f, again }: { fault: Fault; again: () => void }) {
  const [busy, setBusy] = useState(false)
  const lift = async () => {
    setBusy(true)
    try {
      await send(`${faultsPath}/${encodeURIComponent(f.name)}`, { method: 'DELETE' })
      toast({ state: 'ok', text: t('fault.lifted', { summary: sentenceOf(f) }) })
    } catch (e) {
      if ((e as ApiError).code !== 404) refused(t('fault.lift'), e) // a fault that has expired is lifted
      setBusy(false)
    }
    again()
  }
  return (
    <ActButton needs={liftRight} busy={busy} run={() => void lift()}>
      {t('fault.lift')}
    </ActButton>
  )
}

function One({ fault: f, again }: { fault: Fault; again: () => void }) {
  const to = hrefOf(f)
  const sentence = sentenceOf(f)
  return (
    <li class="fault">
      <div>
        <b>{to ? <a href={to}>{sentence}</a> : sentence}</b>
        <small class="faint">
          {t('fault.age', { age: formatAge(presentNow.value - Date.parse(f.created)) })} · <Until of={f} />
          {f.api && ` · ${t('fault.hits', { n: f.hits ?? 0 })}`} · <code>{f.name}</code>
        </small>
      </div>
      <Lift fault={f} again={again} />
    </li>
  )
}

/**
 * Until says when a fault ends. API faults end in real time, which the page takes from the
 * browser's clock.
 */
function Until({ of: f }: { of: Fault }) {
  if (!f.until) return <>{t('fault.untilLifted')}</>
  const left = Date.parse(f.until) - (f.api ? Date.now() : presentNow.value)
  return (
    <time dateTime={f.until} title={formatTime(new Date(f.until))}>
      {t('fault.ends', { span: formatAge(Math.max(0, left)) })}
    </time>
  )
}

function hrefOf(f: Fault): string | null {
  if (f.node) return objectHref('nodes', '', f.node.name)
  return f.pod?.name ? objectHref('pods', f.pod.namespace, f.pod.name) : null
}
