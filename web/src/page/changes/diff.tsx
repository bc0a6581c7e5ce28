import { useState } from 'preact/hooks'
import { t } from '../../i18n'
import { type FieldChange, textOf } from '../../time/diff'

/** Diff shows the fields in which two states of an object differ. */
export function Diff({ changes }: { changes: readonly FieldChange[] }) {
  const shown = changes.filter((c) => !c.folded)
  const folded = changes.filter((c) => c.folded)
  return (
    <div class="diff">
      {shown.length === 0 ? <p class="faint">{t('changes.nothing')}</p> : <Fields of={shown} />}
      {folded.length > 0 && (
        <details>
          <summary>{t('changes.folded', { n: folded.length })}</summary>
          <Fields of={folded} />
        </details>
      )}
    </div>
  )
}

function Fields({ of }: { of: readonly FieldChange[] }) {
  return (
    <dl class="diff-fields">
      {of.map((c) => (
        <div key={c.path}>
          <dt>{c.path}</dt>
          <dd>
            <Value v={c.before} kind="was" name={t('changes.was')} />
            <Value v={c.after} kind="is" name={t('changes.is')} />
          </dd>
        </div>
      ))}
    </dl>
  )
}

function Value({ v, kind, name }: { v: unknown; kind: string; name: string }) {
  const [whole, setWhole] = useState(false)
  if (v === undefined) return null
  const { text, cut } = textOf(v, whole ? 100_000 : 400)
  return (
    <div class={`diff-${kind}`}>
      <span class="diff-sign" role="img" aria-label={name}>
        {kind === 'was' ? '−' : '+'}
      </span>
      <pre>
        {text}
        {cut && '…'}
      </pre>
      {cut && !whole && (
        <button type="button" class="plain" onClick={() => setWhole(true)}>
          {t('changes.cut')}
        </button>
      )}
    </div>
  )
}
