import { shownNow } from '../clock/clock'

/**
 * formatAge formats a duration in milliseconds as kubectl does: with two units if the first is
 * small.
 *
 * Source: kubernetes v1.36 staging/src/k8s.io/apimachinery/pkg/util/duration/duration.go,
 * HumanDuration
 */
export function formatAge(ms: number): string {
  const seconds = Math.floor(ms / 1000)
  if (seconds < 0) return '0s'
  if (seconds < 120) return `${seconds}s`
  const minutes = Math.floor(seconds / 60)
  if (minutes < 10) return join(minutes, 'm', seconds % 60, 's')
  if (minutes < 180) return `${minutes}m`
  const hours = Math.floor(minutes / 60)
  if (hours < 8) return join(hours, 'h', minutes % 60, 'm')
  if (hours < 48) return `${hours}h`
  const days = Math.floor(hours / 24)
  if (hours < 192) return join(days, 'd', hours % 24, 'h')
  if (days < 730) return `${days}d`
  const years = Math.floor(days / 365)
  return years < 8 ? join(years, 'y', days % 365, 'd') : `${years}y`
}

function join(a: number, unit: string, b: number, rest: string): string {
  return b === 0 ? `${a}${unit}` : `${a}${unit}${b}${rest}`
}

/** Age shows how long ago something was, at the moment that is shown. It keeps counting. */
export function Age({ since }: { since: string | undefined }) {
  const then = Date.parse(since ?? '')
  if (Number.isNaN(then)) return null
  return (
    <time dateTime={since} title={since}>
      {formatAge(shownNow.value - then)}
    </time>
  )
}
