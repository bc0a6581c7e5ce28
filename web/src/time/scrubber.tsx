import { outage } from '../api/link'
import { moment } from '../clock/clock'
import { formatTime, t } from '../i18n'
import { at } from '../route'
import { announce } from '../ui/announce'
import { Icon as Picture } from '../ui/icon'
import { type Binding, useKeys } from '../ui/keys'
import { Menu } from '../ui/menu'
import { narrow } from '../ui/narrow'
import { revisionAt } from './axis'
import { Line } from './line'
import { history, startTime } from './now'
import { paces } from './play'
import { pace, playing, stop, togglePlay } from './player'
import { marks, revisionOf, startMarks } from './read'
import { backToNow, type Reach, reach, scopeOfPage, show, step } from './travel'
import { shownAxis, shownBounds, startZoom, zoom, zoomBy } from './zoom'
import './time.css'

/** Scrubber is the bar below every page that moves through time. */
export function Scrubber() {
  startTime()
  startMarks()
  startZoom()
  useKeys(keys())
  const h = history.value
  if (!h || h.oldest.revision === h.newest.revision) return null
  return (
    <section class="scrubber" aria-label={t('time.bar')}>
      <Steps />
      <Line>{(here) => <Slider here={here} />}</Line>
      <Where />
    </section>
  )
}

/** keys move through time on every page, unless the focused element uses them. */
const keys = (): readonly Binding[] => [
  { keys: ['ArrowLeft'], label: t('time.previous'), when: free, run: () => void stepAndSay(-1) },
  { keys: ['ArrowRight'], label: t('time.next'), when: free, run: () => void stepAndSay(1) },
  { keys: ['['], label: t('mark.previous'), run: () => toMark(-1) },
  { keys: [']'], label: t('mark.next'), run: () => toMark(1) },
]

/** free reports whether the focused element has no use for the arrow keys. */
function free(e: KeyboardEvent): boolean {
  for (let el = e.target instanceof Element ? e.target : null; el; el = el.parentElement) {
    if (el.matches('[role], summary, svg')) return false
    if (el.scrollWidth > el.clientWidth + 1 && getComputedStyle(el).overflowX !== 'visible') return false
  }
  return true
}

/** toMark goes to the next or previous mark of the timeline. */
function toMark(direction: 1 | -1): void {
  const h = history.peek()
  if (!h) return
  stop()
  const from = at.peek() ?? h.newest.revision + 1
  const all = marks
    .peek()
    .map((m) => revisionOf(m))
    .filter((r) => r >= h.oldest.revision && (direction === 1 ? r > from : r < from))
  if (all.length > 0) show(direction === 1 ? Math.min(...all) : Math.max(...all))
  else if (direction === 1 && at.peek() !== null) backToNow()
  else announce(t(direction === 1 ? 'mark.noLater' : 'mark.noEarlier'))
}

/** stepAndSay steps, and announces if there is no further change. */
async function stepAndSay(direction: 1 | -1): Promise<void> {
  stop()
  const to = await step(direction).catch(() => 'overtaken' as const) // the outage banner says that the server does not answer
  if (to === 'none' && direction === 1 && at.peek() !== null) backToNow()
  else if (to === 'none') announce(t(direction === 1 ? 'time.noLater' : 'time.noEarlier'))
}

function Steps() {
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
      {narrow.value ? (
        <Menu face={<Picture of="more" />} name={t('time.settings')} kind="upward">
          <div class="scrubber-steps">
            <Choices />
          </div>
        </Menu>
      ) : (
        <Choices />
      )}
    </div>
  )
}

/**
 * Choices are the settings of the timeline: which steps, how fast, and how much of the log it
 * shows.
 */
function Choices() {
  const page = scopeOfPage() !== null
  return (
    <>
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
      <button type="button" class="plain" title={t('time.zoomIn')} aria-label={t('time.zoomIn')} onClick={() => zoomBy(0.5, middle())}>
        <Icon d="M7 2h2v5h5v2H9v5H7V9H2V7h5z" />
      </button>
      <button
        type="button"
        class="plain"
        title={t('time.zoomOut')}
        aria-label={t('time.zoomOut')}
        disabled={zoom.value === null}
        onClick={() => zoomBy(2, middle())}
      >
        <Icon d="M2 7h12v2H2z" />
      </button>
    </>
  )
}

/** middle is the moment around which the buttons zoom. */
const middle = (): number => at.peek() ?? history.peek()?.newest.revision ?? 0

function Icon({ d }: { d: string }) {
  return (
    <svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
      <path d={d} fill="currentColor" />
    </svg>
  )
}

/** steps is the resolution of the slider. */
const steps = 10_000
/** pageOf is how many changes PageUp and PageDown move by: a twentieth of all, at least ten. */
const pageOf = (all: number): number => Math.max(10, Math.round(all / 20))

function Slider({ here }: { here: number }) {
  const h = history.value
  if (!h) return null
  const end = shownBounds.value?.to ?? h.newest.revision
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
        show(revisionAt(shownAxis.value, e.currentTarget.valueAsNumber / steps), true)
      }}
      onChange={(e) => {
        if (e.currentTarget.valueAsNumber === steps && end >= h.newest.revision) backToNow()
        else show(revisionAt(shownAxis.value, e.currentTarget.valueAsNumber / steps))
      }}
    />
  )
}

function valueText(): string {
  const revision = at.value
  if (revision === null) return t('time.valueNow', { revision: history.value?.newest.revision ?? '' })
  return t('time.value', { revision, time: moment.value === null ? '' : formatTime(new Date(moment.value)) })
}

/** Where describes the moment that is shown. */
function Where() {
  const revision = at.value ?? history.value?.newest.revision ?? 0
  return (
    <div class="scrubber-where">
      {at.value === null ? (
        <span class={outage.value === null ? 'scrubber-live' : 'scrubber-live off'}>{t('time.now')}</span>
      ) : (
        <button type="button" class="plain" onClick={backToNow}>
          {t('time.back')}
        </button>
      )}
      <small>{t('time.revision', { revision })}</small>
    </div>
  )
}
