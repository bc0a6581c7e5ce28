import { useState } from 'preact/hooks'
import { Confirm } from '../../act/confirm'
import { getJSON } from '../../api/http'
import { t } from '../../i18n'
import { toast } from '../../ui/toast'
import { type Making, made, making } from './making'
import { clusterHref, type Fork, forksPath } from './read'

/**
 * MakeFork is the dialog that creates a fork. The page has one; it is open while `making` is set.
 */
export function MakeFork() {
  const from = making.value
  return from && <Form key={JSON.stringify(from)} from={from} />
}

/** bodyOf builds the request; it omits empty fields. */
function bodyOf(from: Making, name: string, clock: string, ttl: string): object {
  return { name, ...from, ...(clock === '' ? {} : { clock }), ...(ttl.trim() === '' ? {} : { ttl: ttl.trim() }) }
}

/** overview is the first page of a fork. */
const overview = { page: 'overview', query: {} } as const

function Form({ from }: { from: Making }) {
  const [name, setName] = useState('')
  const [clock, setClock] = useState('')
  const [ttl, setTTL] = useState('')
  const close = () => {
    making.value = null
  }
  const run = async () => {
    const fork = await getJSON<Fork>(forksPath, { method: 'POST', of: '', body: bodyOf(from, name.trim(), clock, ttl) })
    made.value++
    toast({
      state: 'ok',
      text: t('fork.made', { name: fork.name }),
      link: { href: clusterHref(fork.name, overview), text: t('fork.open') },
    })
  }
  const source =
    from.snapshot !== undefined
      ? t('fork.fromSnapshot', { name: from.snapshot })
      : from.at === undefined
        ? t('fork.fromNow')
        : t('fork.fromRevision', { revision: from.at })
  return (
    <Confirm title={t('fork.make')} submit={t('fork.submit')} close={close} run={run} then disabled={name.trim() === ''}>
      <p>
        <b>{source}</b> {t('fork.makeAbout')}
      </p>
      <label class="field">
        {t('field.name')}
        <input value={name} required spellcheck={false} placeholder="what-if" onInput={(e) => setName(e.currentTarget.value)} />
        <small class="reason">{t('fork.nameAbout')}</small>
      </label>
      <label class="field">
        {t('fork.clock')}
        <select value={clock} onChange={(e) => setClock(e.currentTarget.value)}>
          <option value="">{t('fork.clockSame')}</option>
          <option value="running">{t('fork.clockRunning')}</option>
          <option value="paused">{t('fork.clockPaused')}</option>
        </select>
      </label>
      <label class="field">
        {t('fork.ttl')}
        <input value={ttl} spellcheck={false} placeholder={t('fork.ttlNone')} onInput={(e) => setTTL(e.currentTarget.value)} />
        <small class="reason">{t('fork.ttlAbout')}</small>
      </label>
    </Confirm>
  )
}
