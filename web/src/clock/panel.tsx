import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { useHindrance } from '../act/able'
import { resources } from '../api/resource'
import { formatNumber, formatTime, t, zoneName } from '../i18n'
import { at, objectHref } from '../route'
import { formatAge } from '../ui/age'
import { type Advance, type Clock, presentNow, reading, type Work } from './clock'
import { advanceBy, advanceToNext, asking, interrupt, keepDue, pauseClock, refused, setSpeed } from './watch'
import { formatSpeed, isSpan, isSpeed, modeOf, progressOf, spans, speeds } from './words'

/** Panel controls the clock and lists what is due. */
export function Panel() {
  useEffect(keepDue, [])
  const clock = reading.value?.clock
  if (!clock) return null
  return (
    <section class="clock-panel" aria-label={t('clock.title')}>
      <p class="clock-now">{formatTime(new Date(presentNow.value))}</p>
      <p class="reason">{t('time.zone', { zone: zoneName() })}</p>
      {at.value !== null ? (
        <p class="notice">{t('clock.past')}</p>
      ) : modeOf(clock) === 'advancing' && clock.advance ? (
        <Advancing advance={clock.advance} />
      ) : (
        <Controls clock={clock} />
      )}
      {refused.value !== '' && (
        <p class="notice bad" role="alert">
          {t('clock.refused', { message: refused.value })}
        </p>
      )}
      <DueList clock={clock} />
    </section>
  )
}

function Advancing({ advance }: { advance: Advance }) {
  const why = useHindrance([{ verb: 'delete', path: '/rowlock/v1/clock/advance' }])
  const off = why !== '' || asking.value
  const part = progressOf(advance, presentNow.value)
  return (
    <div class="clock-advance">
      <p>
        {advance.to ? t('clock.advancingTo', { time: formatTime(new Date(advance.to)) }) : t('clock.advancingNext')}{' '}
        <small>{t('clock.steps', { n: advance.steps })}</small>
      </p>
      <progress aria-label={t('clock.advancing')} {...(part === null ? {} : { value: part })} max={1} />
      {why !== '' && <p class="notice">{why}</p>}
      <button type="button" class="danger" disabled={off} onClick={() => void interrupt()}>
        {t('clock.interrupt')}
      </button>
    </div>
  )
}

/** clockRight is the right to change the clock. */
const clockRight = [{ verb: 'post', path: '/rowlock/v1/clock' }]

function Controls({ clock }: { clock: Clock }) {
  const why = useHindrance(clockRight)
  const off = asking.value || why !== ''
  const paused = modeOf(clock) === 'paused'
  return (
    <>
      {why !== '' && <p class="notice">{why}</p>}
      <fieldset>
        <legend>{t('clock.speed')}</legend>
        <button type="button" class="primary" disabled={off} onClick={() => void pauseClock(!paused)}>
          {t(paused ? 'clock.resume' : 'clock.pause')}
        </button>
        {speeds.map((s) => (
          <button key={s} type="button" disabled={off} aria-pressed={!paused && clock.speed === s} onClick={() => void setSpeed(s)}>
            {formatSpeed(s)}
          </button>
        ))}
        <Free
          label={t('clock.otherSpeed')}
          placeholder="0.001–100000"
          ok={(text) => isSpeed(Number(text))}
          submit={t('clock.set')}
          off={off}
          take={(text) => setSpeed(Number(text))}
        />
      </fieldset>
      <fieldset>
        <legend>{t('clock.advance')}</legend>
        <button type="button" class="primary" disabled={off} onClick={() => void advanceToNext()}>
          {t('clock.next')}
        </button>
        {spans.map((s) => (
          <button key={s} type="button" disabled={off} onClick={() => void advanceBy(s)}>
            +{s}
          </button>
        ))}
        <Free label={t('clock.otherSpan')} placeholder="2d12h" ok={isSpan} off={off} submit={t('clock.go')} take={advanceBy} />
      </fieldset>
    </>
  )
}

/** Free is a field for values without a button. */
function Free(p: {
  label: string
  placeholder: string
  submit: string
  off: boolean
  ok: (text: string) => boolean
  take: (text: string) => Promise<void>
}) {
  const text = useSignal('')
  const good = p.ok(text.value.trim())
  return (
    <form
      onSubmit={(e) => {
        e.preventDefault()
        if (good) void p.take(text.value.trim())
      }}
    >
      <input
        aria-label={p.label}
        placeholder={p.placeholder}
        title={p.label}
        size={10}
        value={text.value}
        aria-invalid={text.value !== '' && !good}
        onInput={(e) => (text.value = e.currentTarget.value)}
      />
      <button type="submit" disabled={!good || p.off}>
        {p.submit}
      </button>
    </form>
  )
}

function DueList({ clock }: { clock: Clock }) {
  return (
    <>
      <h2>{t('clock.due')}</h2>
      {clock.due.length === 0 ? <p class="clock-none">{t('clock.nothing')}</p> : <Works all={clock.due} />}
      {clock.failing && clock.failing.length > 0 && (
        <>
          <h2>{t('clock.failing', { n: clock.failingCount ?? clock.failing.length })}</h2>
          <p class="clock-none">{t('clock.failingAbout')}</p>
          <Works all={clock.failing} failing />
        </>
      )}
    </>
  )
}

function Works({ all, failing = false }: { all: readonly Work[]; failing?: boolean }) {
  return (
    <ol class="clock-due">
      {all.map((w, i) => (
        <li key={i}>
          <span class="clock-in">
            {failing ? t('clock.attempts', { n: w.attempts ?? 0 }) : inWords(Date.parse(w.at) - presentNow.value)}
          </span>
          <span class="clock-what">
            <ObjectLink work={w} /> <small>{w.controller}</small>
          </span>
        </li>
      ))}
    </ol>
  )
}

/** inWords says in how long something is due. */
function inWords(ms: number): string {
  return ms <= 0 ? t('clock.dueNow') : t('clock.dueIn', { span: ms < 1000 ? `${formatNumber(Math.round(ms))}ms` : formatAge(ms) })
}

function ObjectLink({ work }: { work: Work }) {
  const resource = work.kind && [...resources.value.values()].find((r) => r.kind === work.kind)
  const name = work.namespace ? `${work.namespace}/${work.name}` : work.name
  if (!resource) return <span>{work.kind ? `${work.kind} ${name}` : name}</span>
  return (
    <a href={objectHref(resource.id, work.namespace, work.name)}>
      {work.kind} {name}
    </a>
  )
}
