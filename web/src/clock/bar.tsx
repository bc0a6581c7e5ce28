import { useSignal } from '@preact/signals'
import { formatClock, formatDay, t } from '../i18n'
import { Icon } from '../ui/icon'
import { Menu } from '../ui/menu'
import { narrow } from '../ui/narrow'
import { presentNow, reading } from './clock'
import { Panel } from './panel'
import { startClock } from './watch'
import { formatSpeed, modeOf } from './words'
import './clock.css'

/** ClockInBar shows the cluster's clock in the bar, with a panel to control it. */
export function ClockInBar() {
  startClock()
  const open = useSignal(false)
  const r = reading.value
  if (!r) return null
  const now = new Date(presentNow.value)
  const mode = modeOf(r.clock)
  const time = formatClock(now)
  const day = formatDay(now)
  const mark = mode === 'paused' ? t('clock.paused') : mode === 'advancing' ? t('clock.advancing') : formatSpeed(r.clock.speed)
  const face = (
    <span class={`clock-face ${mode}`}>
      {narrow.value ? (
        <Icon of="clock" />
      ) : (
        <>
          <span class="clock-day">{day}</span> <time dateTime={now.toISOString()}>{time}</time>
        </>
      )}{' '}
      {!narrow.value && (mode !== 'running' || r.clock.speed !== 1) && <span class="clock-mark">{mark}</span>}
    </span>
  )
  return (
    <Menu face={face} name={t('clock.name', { time: `${day} ${time}`, mode: mark })} kind="end clock" opened={() => (open.value = true)}>
      {open.value && <Panel />}
    </Menu>
  )
}
