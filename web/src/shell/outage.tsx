import { outage, tryNow } from '../api/link'
import { presentNow, reading, tick } from '../clock/clock'
import { formatTime, t } from '../i18n'

/**
 * OutageBanner says, once for the whole page, that the server does not answer: since when, in the
 * time that the page shows, and when the next attempt is. It is part of the first script, because
 * nothing more can be loaded then.
 */
export function OutageBanner() {
  const lost = outage.value
  void tick.value
  if (lost === null) return null
  const since = reading.value ? presentNow.value : lost.at
  const left = Math.ceil((lost.next - performance.now()) / 1000)
  return (
    <aside class="outage">
      <p role="alert">
        <strong>{t('outage.title', { time: formatTime(new Date(since)) })}</strong> {t('outage.about')}
      </p>
      <p class="outage-next">
        <span>{left > 0 ? t('outage.next', { n: left }) : t('outage.trying')}</span>{' '}
        <button type="button" onClick={() => void tryNow()}>
          {t('outage.now')}
        </button>
      </p>
    </aside>
  )
}
