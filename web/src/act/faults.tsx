import { useState } from 'preact/hooks'
import { type ApiError, send } from '../api/http'
import { t } from '../i18n'
import { at, objectHref } from '../route'
import { Age } from '../ui/age'
import { toast } from '../ui/toast'
import { refused } from './action'
import { type Faults, useFaults } from './faultfeed'
import type { Fault } from './faultrequest'
import { Past } from './menu'
import { Refusal } from './refusal'
import './act.css'

/** FaultsPage lists what fails on purpose. */
export function FaultsPage() {
  const faults = useFaults()
  return (
    <>
      <h1>{t('fault.all')}</h1>
      <p>{t('fault.about')}</p>
      {at.value !== null && <Past />}
      <FaultList faults={faults} />
      {faults.items.length === 0 && !faults.error && <p class="notice">{t('fault.none')}</p>}
    </>
  )
}

/** FaultList shows faults, and lifts them. */
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

function One({ fault: f, again }: { fault: Fault; again: () => void }) {
  const [busy, setBusy] = useState(false)
  const lift = async () => {
    setBusy(true)
    try {
      await send(`/rowlock/v1/faults/${encodeURIComponent(f.name)}`, { method: 'DELETE' })
      toast({ state: 'ok', text: t('fault.lifted', { summary: f.summary }) })
    } catch (e) {
      if ((e as ApiError).code !== 404) refused(t('fault.lift'), e) // one that has ended by itself is lifted
      setBusy(false)
    }
    again()
  }
  return (
    <li class="row">
      <span>
        <b>{f.name}</b> {f.summary} <Where of={f} />
        <small>
          {t('fault.since')} <Age since={f.created} /> {f.until && <time dateTime={f.until}>{t('fault.until', { at: f.until })}</time>}
        </small>
      </span>
      <button type="button" disabled={busy || at.value !== null} onClick={() => void lift()}>
        {t('fault.lift')}
      </button>
    </li>
  )
}

function Where({ of: f }: { of: Fault }) {
  if (f.node) return <a href={objectHref('nodes', '', f.node.name)}>{f.node.name}</a>
  if (f.pod?.name) return <a href={objectHref('pods', f.pod.namespace, f.pod.name)}>{f.pod.name}</a>
  return null
}
