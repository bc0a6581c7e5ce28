import { formatTime, language, t } from '../../i18n'
import { objectHref } from '../../route'
import { formatAge } from '../../ui/age'
import { Shape } from '../../ui/state'
import { useWidth } from '../../ui/usewidth'
import { anchorAt, axisOf, type Bar, labelAt } from './attempts'

/** leastWidth is the minimum width of the picture, in pixels: a narrower box scrolls. */
const leastWidth = 560
const [row, top, left] = [24, 24, 8]

/** mostBars is how many bars are drawn: the newest. */
const mostBars = 60

/**
 * Timeline shows attempts or runs as bars on a time axis, and future runs as marks. The gaps
 * between attempts are the back-off.
 */
export function Timeline(p: {
  bars: readonly Bar[]
  now: number
  /** Future moments, such as a CronJob's next runs. */
  next?: readonly number[]
  label: string
  resource: string
  namespace: string
  tab: string
}) {
  const [box, room] = useWidth()
  const width = Math.max(leastWidth, room)
  const shown = p.bars.slice(-mostBars)
  const next = p.next ?? []
  const going = next.length > 0 || shown.some((b) => b.to === Number.POSITIVE_INFINITY)
  const axis = axisOf([...shown.flatMap((b) => [b.from, b.to]), ...(going ? [p.now] : []), ...next], 8)
  const x = (time: number): number => left + axis.x(time) * (width - 2 * left)
  const height = top + Math.max(1, shown.length + (next.length > 0 ? 1 : 0)) * row + 6
  return (
    <figure class="timeline" aria-label={p.label}>
      {p.bars.length > shown.length && <figcaption>{t('job.newest', { n: shown.length, all: p.bars.length })}</figcaption>}
      <div class="timeline-scroll" ref={box}>
        {/* biome-ignore lint/a11y/noSvgWithoutTitle: the figure has the name */}
        <svg viewBox={`0 0 ${width} ${height}`} width={width} height={height}>
          {axis.ticks.map((at) => (
            <g key={at} class="tick">
              <line x1={x(at)} x2={x(at)} y1={top - 4} y2={height} />
              <text x={x(at)} y={14} text-anchor={anchorAt(x(at), width)}>
                {clockTime(at, axis.to - axis.from)}
              </text>
            </g>
          ))}
          {going && <line class="now" x1={x(p.now)} x2={x(p.now)} y1={top - 4} y2={height} />}
          {shown.map((b, i) => (
            <BarMark
              key={b.name}
              bar={b}
              y={top + i * row}
              x={x}
              width={width}
              now={p.now}
              href={objectHref(p.resource, p.namespace, b.name, p.tab)}
            />
          ))}
          {next.map((at) => (
            <g key={at} class="coming">
              <title>{t('job.due', { when: formatTime(new Date(at)) })}</title>
              <Shape state="wait" x={x(at)} y={top + shown.length * row + row / 2} size={12} />
            </g>
          ))}
        </svg>
      </div>
    </figure>
  )
}

function BarMark({
  bar,
  x,
  y,
  width,
  now,
  href,
}: {
  bar: Bar
  x: (t: number) => number
  y: number
  width: number
  now: number
  href: string
}) {
  const end = Number.isFinite(bar.to) ? bar.to : Math.max(now, bar.from)
  const [from, to] = [x(bar.from), Math.max(x(end), x(bar.from) + 3)]
  const text = `${bar.name} · ${formatAge(end - bar.from)}${bar.note === '' ? '' : ` · ${bar.note}`}`
  const at = labelAt(from, to, text.length, width)
  return (
    <a href={href} aria-label={`${text} · ${t(`state.${bar.state}`)}`}>
      <title>{text}</title>
      <rect
        class={`bar-${bar.to === Number.POSITIVE_INFINITY ? 'open' : 'done'} fill-${bar.state}`}
        x={from}
        y={y + 4}
        width={to - from}
        height={row - 8}
        rx="3"
      />
      <Shape state={bar.state} x={at.mark} y={y + row / 2} size={12} />
      <text class="bar-text" x={at.text} y={y + row / 2 + 4} text-anchor={at.anchor}>
        {text}
      </text>
    </a>
  )
}

/** clockTime formats a tick: with seconds or with the day, depending on the length of the axis. */
function clockTime(at: number, span: number): string {
  const hour = 3_600_000
  const form: Intl.DateTimeFormatOptions =
    span < hour / 4
      ? { timeStyle: 'medium' }
      : span < 36 * hour
        ? { timeStyle: 'short' }
        : { month: 'short', day: 'numeric', hour: '2-digit' }
  return new Intl.DateTimeFormat(language.value, form).format(at)
}
