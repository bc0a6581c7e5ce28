import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { formatClock, formatDay, formatTime, t } from '../i18n'
import { at } from '../route'
import { type Axis, densityOf, placeOf, placeOfTime, revisionAt, ticksOf, timeAt } from './axis'
import { describedOf, type Group, groupsOf, kindOf, type Mark, type MarkKind } from './marks'
import { marks, ofObject } from './read'
import { shownAxis, zoomBy } from './zoom'

/** parts is the number of segments in which the density of changes is shown. */
const parts = 160
/**
 * tickRoom is the width of a tick's label, in pixels; near is the distance within which marks are
 * grouped.
 */
const tickRoom = 110
const near = 9

/**
 * Line draws the log: the number of changes over time, marks of notable ones and, on the page of an
 * object, its own changes. It describes what is under the pointer. Its children are drawn over it
 * and get the position of the moment that is shown.
 */
export function Line({ children }: { children: (here: number) => ComponentChildren }) {
  const width = useSignal(600)
  const over = useSignal<number | null>(null)
  const ref = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const line = ref.current
    if (!line) return
    const seen = new ResizeObserver(([e]) => (width.value = Math.max(100, Math.round(e?.contentRect.width ?? 600))))
    seen.observe(line)
    const wheel = (e: WheelEvent) => {
      if (e.deltaY === 0 || Math.abs(e.deltaX) > Math.abs(e.deltaY)) return
      e.preventDefault()
      const box = line.getBoundingClientRect()
      const place = Math.min(1, Math.max(0, (e.clientX - box.left) / box.width))
      zoomBy(e.deltaY < 0 ? 0.8 : 1.25, revisionAt(shownAxis.peek(), place))
    }
    line.addEventListener('wheel', wheel, { passive: false })
    return () => {
      seen.disconnect()
      line.removeEventListener('wheel', wheel)
    }
  }, [])
  const a = shownAxis.value
  const here = at.value === null ? 1 : placeOf(a, at.value)
  const groups = groupsOf(marks.value, (m) => placeOfMark(a, m), near / width.value)
  return (
    <div
      class="scrubber-line"
      ref={ref}
      onPointerMove={(e) => {
        const box = e.currentTarget.getBoundingClientRect()
        over.value = Math.min(1, Math.max(0, (e.clientX - box.left) / box.width))
      }}
      onPointerLeave={() => {
        over.value = null
      }}
    >
      <svg class="scrubber-picture" viewBox={`0 0 ${width.value} 48`} preserveAspectRatio="none" aria-hidden="true">
        <Density width={width.value} here={here} axis={a} />
        <Own width={width.value} axis={a} />
        {groups.map((g) => (
          <Sign key={g.place} kind={kindOf(g)} x={g.place * width.value} />
        ))}
        {over.value !== null && <path class="scrubber-over" d={`M${(over.value * width.value).toFixed(1)} 0V32`} />}
      </svg>
      <Ticks width={width.value} axis={a} />
      {children(here)}
      {over.value !== null && <Tip place={over.value} axis={a} groups={groups} reach={near / width.value} />}
    </div>
  )
}

/** placeOfMark returns the place of a mark, null if it is not on the line. */
function placeOfMark(a: Axis, m: Mark): number | null {
  const [first, last] = [a.stops[0], a.stops.at(-1)]
  if (!first || !last) return null
  if (m.revision !== undefined) return m.revision < first.revision || m.revision > last.revision ? null : placeOf(a, m.revision)
  return m.at < first.at || m.at > last.at ? null : placeOfTime(a, m.at)
}

function Density({ width, here, axis }: { width: number; here: number; axis: Axis }) {
  const bars = densityOf(axis, parts)
  const w = width / parts
  const path = (from: number, to: number) =>
    bars
      .slice(from, to)
      .map((d, i) =>
        d < 0.02 ? '' : `M${((from + i) * w).toFixed(1)} 32v${(-1 - d * 18).toFixed(1)}h${Math.max(1, w - 1).toFixed(1)}V32z`,
      )
      .join('')
  const cut = Math.round(here * parts)
  return (
    <>
      <path class="density" d={path(0, cut)} />
      <path class="density later" d={path(cut, parts)} />
      <path class="axis" d={`M0 32.5H${width}`} />
    </>
  )
}

/** Own shows the changes of the current object along the axis. */
function Own({ width, axis }: { width: number; axis: Axis }) {
  const [first, last] = [axis.stops[0], axis.stops.at(-1)]
  if (!first || !last) return null
  const seen = new Set<number>()
  for (const c of ofObject.value) {
    if (c.revision >= first.revision && c.revision <= last.revision) seen.add(Math.round(placeOf(axis, c.revision) * width))
  }
  return <path class="own" d={[...seen].map((x) => `M${x} 33v5`).join('')} />
}

/**
 * signs are drawn in a square of 10, around its centre. Each has its own shape, so that colours are
 * not the only difference.
 */
const signs: Readonly<Record<MarkKind, string>> = {
  problem: 'M0-5 5 4H-5z',
  fault: 'M1-5-4 1h3l-2 4 5-6H-1z',
  rollout: 'M0-4 4 0 0 4-4 0z',
  clock: 'M-4-4 0 0l-4 4zM0-4l4 4-4 4z',
  request: 'M0-2.5a2.5 2.5 0 1 0 0 5 2.5 2.5 0 1 0 0-5z',
}

function Sign({ kind, x }: { kind: MarkKind; x: number }) {
  return <path class={`sign ${kind}`} d={signs[kind]} transform={`translate(${x.toFixed(1)} 6)`} />
}

/** Ticks are the time labels of the axis. */
function Ticks({ width, axis }: { width: number; axis: Axis }) {
  const ticks = ticksOf(axis, Math.max(2, Math.floor(width / tickRoom)), formatDay)
  return (
    <svg class="scrubber-marks" width={width} height="48" aria-hidden="true">
      {ticks.map((k) => (
        <g key={k.place} transform={`translate(${(k.place * width).toFixed(1)} 0)`}>
          <path class="axis" d="M0 32v4" />
          <text y="46" text-anchor="middle">
            {k.day ? `${formatDay(k.at)} ` : ''}
            {formatClock(k.at)}
          </text>
        </g>
      ))}
    </svg>
  )
}

/** told is how many marks of one group are described; the rest is counted. */
const told = 6

/** Tip describes what is under the pointer. */
function Tip({ place, axis, groups, reach }: { place: number; axis: Axis; groups: readonly Group[]; reach: number }) {
  const [first] = groups
    .filter((g) => Math.abs(g.place - place) <= reach)
    .sort((a, b) => Math.abs(a.place - place) - Math.abs(b.place - place))
  const own = new Set(ofObject.value.map((c) => c.revision))
  const described = first ? describedOf(first, (m) => m.revision !== undefined && own.has(m.revision), told) : []
  const rest = (first?.marks.length ?? 0) - described.length
  return (
    <div class="scrubber-tip" style={{ insetInlineStart: `clamp(0px, calc(${(place * 100).toFixed(2)}% - 140px), calc(100% - 280px))` }}>
      <b>{formatTime(new Date(timeAt(axis, place)))}</b>{' '}
      <span class="faint">{t('time.revision', { revision: revisionAt(axis, place) })}</span>
      {described.length > 0 && (
        <ul>
          {described.map((m, i) => (
            <li key={i}>
              <svg viewBox="-6 -6 12 12" width="12" height="12" aria-hidden="true">
                <path class={`sign ${m.kind}`} d={signs[m.kind]} />
              </svg>
              {wordsOf(m)}
            </li>
          ))}
          {rest > 0 && <li class="faint">{t('changes.more', { n: rest })}</li>}
        </ul>
      )}
    </div>
  )
}

/** wordsOf describes a mark. */
function wordsOf(m: Mark): string {
  const name = m.object ? `${m.object.kind} ${m.object.name}` : ''
  switch (m.kind) {
    case 'problem':
      return t(m.what === 'ended' ? 'mark.ended' : 'mark.began', { reason: m.by, name })
    case 'fault':
      return t(m.what === 'deleted' ? 'mark.faultEnded' : 'mark.faultBegan', { name: m.object?.name ?? '' })
    case 'rollout':
      return t('mark.rollout', { name })
    case 'clock':
      return t(m.what === 'ended' ? 'mark.advanced' : 'mark.advancing')
    case 'request': {
      const verb = m.what === 'created' || m.what === 'deleted' ? m.what : 'updated'
      return t('mark.request', { who: m.by || t('changes.anybody'), verb: t(`changes.${verb}`), name })
    }
  }
}
