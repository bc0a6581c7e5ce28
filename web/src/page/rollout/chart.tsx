import { useLayoutEffect, useState } from 'preact/hooks'
import { formatTime, t } from '../../i18n'
import { at, href, route } from '../../route'
import { useWidth } from '../../ui/usewidth'
import { availableOf, type Frame } from './history'
import { type Axis, layOut, margin, type Picture, placeAt } from './picture'
import './hue.css'

/** hues is the number of colours for revisions; a revision has the same colour everywhere. */
const hues = 6

export const hueOf = (revision: number): number => revision % hues

/** Swatch is the colour of a revision, beside its number. */
export function Swatch({ revision }: { revision: number }) {
  return (
    <svg class="swatch" viewBox="0 0 12 12" width="12" height="12" aria-hidden="true">
      <rect class={`hue-${hueOf(revision)}`} width="12" height="12" rx="3" />
    </svg>
  )
}

/**
 * Chart draws ReplicaSets over time, with the bounds. A pointer or the arrow keys move from change
 * to change; the text below describes the state after each. For screen readers it is a slider whose
 * value is that change.
 */
export function Chart({ frames, axis, until }: { frames: readonly Frame[]; axis: Axis; until: number }) {
  const [box, width] = useWidth()
  const [chosen, choose] = useState<number | null>(null)
  const height = width < 520 ? 160 : 190
  useLayoutEffect(() => choose(null), [axis, frames[0]?.revision]) // before the next key
  const place = Math.min(chosen ?? frames.length - 1, frames.length - 1)
  const frame = frames[place]
  const picture = width > 0 ? layOut({ frames, axis, until, width, height }) : null
  if (!frame) return <p class="notice">{t('rollout.noHistory')}</p>
  const step = (e: KeyboardEvent) => {
    const by: Record<string, number> = { ArrowLeft: -1, ArrowRight: 1, PageUp: -10, PageDown: 10, Home: -frames.length, End: frames.length }
    const move = by[e.key]
    if (move === undefined) return
    e.preventDefault()
    choose(Math.max(0, Math.min(frames.length - 1, place + move)))
  }
  return (
    <figure class="rollout-picture">
      <div
        ref={box}
        class="rollout-slider"
        role="slider"
        tabIndex={0}
        aria-label={t('rollout.pictureOf')}
        aria-valuemin={1}
        aria-valuemax={frames.length}
        aria-valuenow={place + 1}
        aria-valuetext={`${stepText(frames, place)}. ${countsText(frame)}`}
        onKeyDown={step}
        onPointerMove={(e) => picture && choose(placeAt(picture.xs, e.offsetX))}
        onPointerLeave={(e) => e.pointerType === 'mouse' && document.activeElement !== e.currentTarget && choose(null)}
      >
        {picture && <Drawing of={picture} width={width} height={height} cursor={chosen === null ? null : place} frames={frames} />}
      </div>
      <figcaption>
        <span class="step">{stepText(frames, place)}</span>
        <span>{countsText(frame)}</span>
        <ul>
          {frame.sets.map((s) => (
            <li key={s.uid}>
              <Swatch revision={s.revision} />
              {t('rollout.set', { revision: s.revision, available: availableOf(s), wanted: s.wanted })}
            </li>
          ))}
        </ul>
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
  t('rollout.counts', { total: f.total, most: f.bounds.most, available: f.available, least: f.bounds.least })

interface DrawingProps {
  readonly of: Picture
  readonly width: number
  readonly height: number
  readonly cursor: number | null
  readonly frames: readonly Frame[]
}

function Drawing({ of: p, width, height, cursor, frames }: DrawingProps) {
  const last = frames.at(-1)
  return (
    <svg width={width} height={height} viewBox={`0 0 ${width} ${height}`} aria-hidden="true">
      {p.rows.map((r) => (
        <g key={r.text} class="row">
          <line x1={margin.start} x2={p.end} y1={r.place} y2={r.place} />
          <text x={margin.start - 7} y={r.place + 4} text-anchor="end">
            {r.text}
          </text>
        </g>
      ))}
      {p.columns.map((c) => (
        <text key={c.text} class="column" x={c.place} y={height - 7} text-anchor={c.place < margin.start + 8 ? 'start' : 'middle'}>
          {c.text}
        </text>
      ))}
      {p.layers.map((l) => (
        <path key={`${l.uid} ${l.kind}`} class={`layer ${l.kind} hue-${hueOf(l.revision)}`} d={l.path} />
      ))}
      {p.layers.map(
        (l) =>
          l.label && (
            <text key={l.uid} class="layer-name" x={l.label.x} y={l.label.y + 4} text-anchor="middle">
              {`#${l.revision}`}
            </text>
          ),
      )}
      <path class="edge" d={p.total} />
      <path class="bound most" d={p.most} />
      <path class="bound least" d={p.least} />
      {last && (
        <>
          <text class="bound-name most" x={p.end - 4} y={p.y(last.bounds.most) - 5} text-anchor="end">
            {`≤ ${last.bounds.most}`}
          </text>
          <text class="bound-name least" x={p.end - 4} y={p.y(last.bounds.least) + 14} text-anchor="end">
            {`≥ ${last.bounds.least}`}
          </text>
        </>
      )}
      {at.value !== null && (
        <g class="moment">
          <line x1={p.end} x2={p.end} y1={margin.top - 8} y2={height - margin.bottom} />
          <path d={`M${p.end - 5} ${margin.top - 10}h10l-5 7z`} />
        </g>
      )}
      {cursor !== null && <line class="cursor" x1={p.xs[cursor] ?? 0} x2={p.xs[cursor] ?? 0} y1={margin.top} y2={height - margin.bottom} />}
    </svg>
  )
}
