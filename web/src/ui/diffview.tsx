import { useEffect, useState } from 'preact/hooks'
import { t } from '../i18n'
import type { DiffLine } from './textdiff'
import { diffTexts } from './textdiff'
import './diffview.css'

/** Difference shows how two objects differ as manifests. Lines that go and come have a sign before them, and say so to screen readers. */
export function Difference({ before, after }: { before: unknown; after: unknown }) {
  const [lines, setLines] = useState<readonly DiffLine[] | null>(null)
  const texts = JSON.stringify([before, after])
  useEffect(() => {
    let wanted = true
    void import('yaml')
      .then(({ stringify }) => diffTexts(stringify(before, { lineWidth: 0 }), stringify(after, { lineWidth: 0 })))
      .then((all) => wanted && setLines(all))
    return () => {
      wanted = false
    }
  }, [texts])
  if (!lines) return <p class="notice">{t('load.loading')}</p>
  if (lines.every((l) => l.sign === '…' || l.sign === ' ')) return <p class="notice">{t('textdiff.same')}</p>
  return (
    <pre class="diff">
      {lines.map((l, i) => (
        <Line key={`${i} ${l.sign}`} line={l} />
      ))}
    </pre>
  )
}

function Line({ line: { sign, text } }: { line: DiffLine }) {
  if (sign === '…') return <span class="gap">{`⋯ ${t('textdiff.unchanged', { n: Number(text) })}\n`}</span>
  const cut = text.length > 1000 ? `${text.slice(0, 1000)}…` : text
  if (sign === '+') return <ins>{`+ ${cut}\n`}</ins>
  if (sign === '-') return <del>{`- ${cut}\n`}</del>
  return <span>{`  ${cut}\n`}</span>
}
