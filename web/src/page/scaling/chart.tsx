import { useState } from 'preact/hooks'
import { formatTime, t } from '../../i18n'
import { at, href, route } from '../../route'
import { useWidth } from '../../ui/usewidth'
import { placeAt } from '../rollout/picture'
import type { Frame } from './history'
import { layOut, margin, type Picture } from './picture'

/** hues is the number of colours for metrics. */
const hues = 6

/** lineHue returns the colour of a metric, by its index. */
export const lineHue = (place: number): string => `hue-${place % hues}`

/**
 * Chart draws the replicas within their bounds and the metrics below. A pointer or the arrow keys
 * move from change to change; the text below describes the state after each. For screen readers it
 * is a slider whose value is that change.
 */
export function Chart({ frames, until }: { frames: readonly Frame[]; until: number }) {
  const [box, width] = useWidth()
  const [chosen, choose] = useState<number | null>(null)
  const place = Math.min(chosen ?? frames.length - 1, frames.length - 1)
  const frame = frames[place]
  if (!frame) return null
  const picture = width > 0 ? layOut({ frames, until, width }) : null
  const step = (e: KeyboardEvent) => {
    const by: Record<string, number> = { ArrowLeft: -1, ArrowRight: 1, PageUp: -10, PageDown: 10, Home: -frames.length, End: frames.length }
    const move = by[e.key]
    if (move === undefined) return
    e.preventDefault()
    choose(Math.max(0, Math.min(frames.length - 1, place + move)))
  }
  return (
    <figure class="scaling-picture">
      <div
        ref={box}
        class="rollout-slider"
        role="slider"
        tabIndex={0}
        aria-label={t('hpa.picture')}
        aria-valuemin={1}
        aria-valuemax={frames.length}
        aria-valuenow={place + 1}
        aria-valuetext={`${stepText(frames, place)}. ${countsText(frame)}`}
        onKeyDown={step}
        onPointerMove={(e) => picture && choose(placeAt(picture.xs, e.offsetX))}
        onPointerLeave={(e) => e.pointerType === 'mouse' && document.activeElement !== e.currentTarget && choose(null)}
      >
        {picture && <Drawing of={picture} width={width} cursor={chosen === null ? null : place} last={frames.at(-1) ?? frame} />}
      </div>
      <figcaption>
        <span class="step">{stepText(frames, place)}</span>
        <span>{countsText(frame)}</span>
        {frame.levels.map((l, i) => (
          <span key={l.name}>
            <svg class="swatch" viewBox="0 0 12 12" width="12" height="12" aria-hidden="true">
              <rect class={lineHue(i)} width="12" height="12" rx="3" />
            </svg>
            {l.name} {l.current === '' ? t('hpa.unknown') : `${l.current} / ${l.target}`}
          </span>
        ))}
        {frame.revision !== at.value && (
          <a href={href({ ...route.value, query: { ...route.value.query, at: String(frame.revision) } })}>{t('rollout.seeThen')}</a>
        )}
      </figcaption>
    </figure>
  )
}

const stepText = (frames: readonly Frame[], i: number): string =>
  t('rollout.step', { step: i + 1, of: frames.length, time: formatTime(new Date(frames[i]?.at ?? 0)) })

const countsText = (f: Frame): string =>
  t('hpa.counts', { current: f.current, desired: f.desired === 0 ? '–' : f.desired, least: f.least, most: f.most })

function Drawing({ of: p, width, cursor, last }: { of: Picture; width: number; cursor: number | null; last: Frame }) {
  const { replicas: r, metrics: m } = p
  return (
    <svg width={width} height={p.height} viewBox={`0 0 ${width} ${p.height}`} aria-hidden="true">
      {[...r.rows, ...m.rows].map((row) => (
        <g key={`${row.text} ${row.place}`} class="row">
          <line x1={margin.start} x2={p.end} y1={row.place} y2={row.place} />
          <text x={margin.start - 7} y={row.place + 4} text-anchor="end">
            {row.text}
          </text>
        </g>
      ))}
      {p.columns.map((c) => (
        <text
          key={c.text}
          class="column"
          x={c.place}
          y={p.height - 7}
          text-anchor={c.place < margin.start + 8 ? 'start' : c.place > p.end - 12 ? 'end' : 'middle'}
        >
          {c.text}
        </text>
      ))}
      <text class="title" x={margin.start} y={m.top - 10}>
        {t('hpa.ofTarget')}
      </text>
      <path class="replicas" d={r.area} />
      <path class="desired" d={r.desired} />
      <path class="bound most" d={r.most} />
      <path class="bound least" d={r.least} />
      <text class="bound-name" x={p.end - 4} y={r.y(last.most) - 5} text-anchor="end">
        {`≤ ${last.most}`}
      </text>
      <text class="bound-name" x={p.end - 4} y={r.y(last.least) + 14} text-anchor="end">
        {`≥ ${last.least}`}
      </text>
      <line class="target" x1={margin.start} x2={p.end} y1={m.target} y2={m.target} />
      {m.lines.map((l, i) => (
        <path key={l.name} class={`metric ${lineHue(i)}`} d={l.path} />
      ))}
      {at.value !== null && (
        <g class="moment">
          <line x1={p.end} x2={p.end} y1={margin.top - 8} y2={m.floor} />
          <path d={`M${p.end - 5} ${margin.top - 10}h10l-5 7z`} />
        </g>
      )}
      {cursor !== null && <line class="cursor" x1={p.xs[cursor] ?? 0} x2={p.xs[cursor] ?? 0} y1={margin.top} y2={m.floor} />}
    </svg>
  )
}
