import { useMemo } from 'preact/hooks'
import { t } from '../i18n'
import { linesBetween } from './linediff'
import './diffview.css'

const signs = { same: ' ', add: '+', del: '−' } as const

/** DiffView shows how two texts differ, line by line. */
export function DiffView({ before, after, label }: { before: string; after: string; label: string }) {
  const rows = useMemo(() => linesBetween(before, after), [before, after])
  if (rows === 'large') return <p class="notice">{t('diff.large')}</p>
  if (rows.length === 0) return <p class="notice">{t('diff.same')}</p>
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: keys must be able to scroll it
    <section class="diff" aria-label={label} tabIndex={0}>
      {rows.map((r, i) => {
        if (r.kind === 'skip') {
          return (
            <div key={i} class="skip">
              {t('diff.unchanged', { n: Number(r.text) })}
            </div>
          )
        }
        const Line = r.kind === 'add' ? 'ins' : r.kind === 'del' ? 'del' : 'code'
        return (
          <div key={i} class={r.kind}>
            <span aria-hidden="true">{signs[r.kind]}</span>
            <Line>{r.text}</Line>
          </div>
        )
      })}
    </section>
  )
}
