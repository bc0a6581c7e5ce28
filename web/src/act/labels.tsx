import { useState } from 'preact/hooks'
import { fullName } from '../api/object'
import { t } from '../i18n'
import { Icon } from '../ui/icon'
import { type ActionProps, done } from './action'
import { Confirm } from './confirm'
import { labelPatch } from './labelchange'
import { patch } from './write'

/** Labels is the dialog that edits an object's labels. */
export function Labels(props: ActionProps) {
  const m = props.object.metadata
  const before = m.labels ?? {}
  const [rows, setRows] = useState(() => [...Object.entries(before).map(([key, value]) => ({ key, value })), { key: '', value: '' }])
  const change = labelPatch(before, rows)
  const count = Object.keys(change).length
  const set = (i: number, to: Partial<(typeof rows)[number]>) => setRows(rows.map((r, n) => (n === i ? { ...r, ...to } : r)))
  const run = async () => {
    await patch(props, { metadata: { labels: change } })
    done(t('label.done', { n: count }), props)
  }
  return (
    <Confirm title={t('label.title', { name: fullName(m) })} submit={t('label.save')} close={props.close} run={run} disabled={count === 0}>
      <ul class="label-rows">
        {rows.map((r, i) => (
          <li key={i}>
            <input
              aria-label={t('label.key')}
              placeholder={t('label.key')}
              value={r.key}
              spellcheck={false}
              onInput={(e) => set(i, { key: e.currentTarget.value })}
            />
            <input
              aria-label={t('label.value')}
              placeholder={t('label.value')}
              value={r.value}
              spellcheck={false}
              onInput={(e) => set(i, { value: e.currentTarget.value })}
            />
            <button type="button" aria-label={t('label.remove', { key: r.key })} onClick={() => setRows(rows.filter((_, n) => n !== i))}>
              <Icon of="close" />
            </button>
          </li>
        ))}
      </ul>
      <button type="button" onClick={() => setRows([...rows, { key: '', value: '' }])}>
        {t('label.add')}
      </button>
      <p role="status">{t('label.changes', { n: count })}</p>
    </Confirm>
  )
}
