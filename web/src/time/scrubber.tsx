import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { moment } from '../clock/clock'
import { formatTime, language, t } from '../i18n'
import { at } from '../route'
import { announce } from '../ui/announce'
import { densityOf, placeOf, revisionAt, ticksOf } from './axis'
import { axis, history, startTime } from './now'
import { paces } from './play'
import { pace, playing, stop, togglePlay } from './player'
import { backToNow, type Reach, reach, scopeOfPage, show, step } from './travel'
import './time.css'

/** Scrubber is the bar below every page on which one moves through time. */
export function Scrubber() {
  startTime()
  const h = history.value
  if (!h || h.oldest.revision === h.newest.revision) return null
  return (
    <section class="scrubber" aria-label={t('time.bar')}>
      <Steps />
      <Line />
      <Where />
    </section>
  )
}

/** go steps, and says so where there is nothing to step to. */
async function stepAndSay(direction: 1 | -1): Promise<void> {
  stop()
  const to = await step(direction).catch(() => 'overtaken' as const) // the page says that the server does not answer
  if (to === 'none' && direction === 1 && at.peek() !== null) backToNow()
  else if (to === 'none') announce(t(direction === 1 ? 'time.noLater' : 'time.noEarlier'))
}

function Steps() {
  const page = scopeOfPage() !== null
  return (
    <div class="scrubber-steps">
      <button type="button" class="plain" title={t('time.previous')} aria-label={t('time.previous')} onClick={() => void stepAndSay(-1)}>
        <Icon d="M4 3h2v10H4zM14 3v10L6.5 8z" />
      </button>
      <button
        type="button"
        class="plain"
        title={t(playing.value ? 'time.stop' : 'time.play')}
        aria-pressed={playing.value}
        aria-label={t('time.play')}
        onClick={togglePlay}
      >
        <Icon d={playing.value ? 'M4 3h3v10H4zM9 3h3v10H9z' : 'M4 2.5v11L13 8z'} />
      </button>
      <button
        type="button"
        class="plain"
        title={t('time.next')}
        aria-label={t('time.next')}
        disabled={at.value === null}
        onClick={() => void stepAndSay(1)}
      >
        <Icon d="M10 3h2v10h-2zM2 3v10L9.5 8z" />
      </button>
      <select
        aria-label={t('time.reach')}
        title={t('time.reach')}
        value={page ? reach.value : 'all'}
        disabled={!page}
        onChange={(e) => (reach.value = e.currentTarget.value as Reach)}
      >
        <option value="all">{t('time.reachAll')}</option>
        <option value="page">{t('time.reachPage')}</option>
      </select>
      <select
        aria-label={t('time.pace')}
        title={t('time.pace')}
        value={pace.value.id}
        onChange={(e) => (pace.value = paces.find((p) => p.id === e.currentTarget.value) ?? pace.value)}
      >
        {paces.map((p) => (
          <option key={p.id} value={p.id}>
            {t(p.unit === 'time' ? 'time.paceTime' : 'time.paceChanges', { n: p.rate })}
          </option>
        ))}
      </select>
    </div>
  )
}

function Icon({ d }: { d: string }) {
  return (
    <svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
      <path d={d} fill="currentColor" />
    </svg>
  )
}

/** parts is into how many the density of changes is told. */
const parts = 160
/** tickRoom is how much room, in pixels, a tick's time takes. */
const tickRoom = 110

function Line() {
  const width = useSignal(600)
  const ref = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (!ref.current) return
    const seen = new ResizeObserver(([e]) => (width.value = Math.max(100, Math.round(e?.contentRect.width ?? 600))))
    seen.observe(ref.current)
    return () => seen.disconnect()
  }, [])
  const a = axis.value
  const here = at.value === null ? 1 : placeOf(a, at.value)
  return (
    <div class="scrubber-line" ref={ref}>
      <svg class="scrubber-picture" viewBox={`0 0 ${width.value} 40`} preserveAspectRatio="none" aria-hidden="true">
        <Density width={width.value} here={here} />
      </svg>
      <Marks width={width.value} />
      <Slider here={here} />
    </div>
  )
}

function Density({ width, here }: { width: number; here: number }) {
  const bars = densityOf(axis.value, parts)
  const w = width / parts
  const path = (from: number, to: number) =>
    bars
      .slice(from, to)
      .map((d, i) =>
        d < 0.02 ? '' : `M${((from + i) * w).toFixed(1)} 24v${(-2 - d * 20).toFixed(1)}h${Math.max(1, w - 1).toFixed(1)}V24z`,
      )
      .join('')
  const cut = Math.round(here * parts)
  return (
    <>
      <path class="density" d={path(0, cut)} />
      <path class="density later" d={path(cut, parts)} />
      <path class="axis" d={`M0 24.5H${width}`} />
    </>
  )
}

/** Marks are the times along the axis. */
function Marks({ width }: { width: number }) {
  const l = language.value
  const day = new Intl.DateTimeFormat(l, { month: 'short', day: 'numeric' })
  const time = new Intl.DateTimeFormat(l, { hour: '2-digit', minute: '2-digit', second: '2-digit' })
  const ticks = ticksOf(axis.value, Math.max(2, Math.floor(width / tickRoom)), (ms) => day.format(ms))
  return (
    <svg class="scrubber-marks" width={width} height="40" aria-hidden="true">
      {ticks.map((k) => (
        <g key={k.place} transform={`translate(${(k.place * width).toFixed(1)} 0)`}>
          <path class="axis" d="M0 24v4" />
          <text y="38" text-anchor="middle">
            {k.day ? `${day.format(k.at)} ` : ''}
            {time.format(k.at)}
          </text>
        </g>
      ))}
    </svg>
  )
}

/** steps is how fine the slider is. */
const steps = 10_000
/** page is how many changes PageUp and PageDown move by: a twentieth of all, ten at least. */
const pageOf = (all: number): number => Math.max(10, Math.round(all / 20))

function Slider({ here }: { here: number }) {
  const h = history.value
  if (!h) return null
  const key = (e: KeyboardEvent) => {
    const from = at.value ?? h.newest.revision
    const by = pageOf(h.newest.revision - h.oldest.revision)
    const actions: Record<string, () => void> = {
      ArrowLeft: () => void stepAndSay(-1),
      ArrowDown: () => void stepAndSay(-1),
      ArrowRight: () => void stepAndSay(1),
      ArrowUp: () => void stepAndSay(1),
      PageUp: () => leave(from + by),
      PageDown: () => show(from - by),
      Home: () => show(h.oldest.revision),
      End: backToNow,
    }
    const action = actions[e.key]
    if (!action || e.ctrlKey || e.metaKey || e.altKey) return
    e.preventDefault()
    stop()
    action()
  }
  const leave = (revision: number) => (revision >= h.newest.revision ? backToNow() : show(revision))
  return (
    <input
      type="range"
      min={0}
      max={steps}
      step={1}
      value={Math.round(here * steps)}
      aria-label={t('time.slider')}
      aria-valuetext={valueText()}
      onKeyDown={key}
      onInput={(e) => {
        stop()
        show(revisionAt(axis.value, e.currentTarget.valueAsNumber / steps), true)
      }}
      onChange={(e) => {
        if (e.currentTarget.valueAsNumber === steps) backToNow()
        else show(revisionAt(axis.value, e.currentTarget.valueAsNumber / steps))
      }}
    />
  )
}

function valueText(): string {
  const revision = at.value
  if (revision === null) return t('time.valueNow', { revision: history.value?.newest.revision ?? '' })
  return t('time.value', { revision, time: moment.value === null ? '' : formatTime(new Date(moment.value)) })
}

/** Where is the moment that is shown, in words. */
function Where() {
  const revision = at.value ?? history.value?.newest.revision ?? 0
  return (
    <div class="scrubber-where">
      {at.value === null ? (
        <span class="scrubber-live">{t('time.now')}</span>
      ) : (
        <button type="button" class="plain" onClick={backToNow}>
          {t('time.back')}
        </button>
      )}
      <small>{t('time.revision', { revision })}</small>
    </div>
  )
}
