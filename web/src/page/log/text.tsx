import type { VNode } from 'preact'
import { useEffect, useId, useMemo, useRef } from 'preact/hooks'
import { formatNumber, language, t } from '../../i18n'
import type { Lines } from './follow'
import { graveEnough, type Least, levelOf } from './level'
import { type Line, type Piece, pieces, sourceOf, written } from './line'

interface TextProps {
  readonly lines: Lines
  readonly search: string
  readonly least: Least
  readonly times: boolean
  readonly wrap: boolean
  /** What precedes each line: nothing, its container, its Pod, or both. */
  readonly names: Names
  readonly stick: boolean
}

export type Names = '' | 'container' | 'pod' | 'both'

/** grave reports whether a line matches the level. Remarks always do. */
const grave = (l: Line, least: Least): boolean => l.remark === true || graveEnough(levelOf(l.text), least)

/** textOf returns the shown lines as the text of a file. */
export function textOf(lines: Lines, search: string, least: Least): string {
  const shown = lines.kept.filter((l) => !l.remark && grave(l, least) && pieces(l.text, search) !== null)
  return shown.map((l) => `${l.at} ${sourceOf(l, 'both')} ${l.text}\n`).join('')
}

/** Text shows the lines. It follows the newest until the user scrolls away. */
export function Text({ lines, search, least, times, wrap, names, stick }: TextProps) {
  void lines.changed.value
  const l10n = language.value
  const box = useRef<HTMLDivElement>(null)
  const atEnd = useRef(true)
  const count = useId()
  const time = useMemo(() => timeWriter(l10n), [l10n])
  // A rendered line is not rendered again: for the same node, Preact compares nothing.
  const hues = useRef(new Map<string, number>())
  const drawn = useMemo(() => new WeakMap<Line, VNode | null>(), [search, least, times, names, l10n])
  let found = 0
  const rows = lines.kept.flatMap((l) => {
    let row = drawn.get(l)
    if (row === undefined) {
      const cut = grave(l, least) ? pieces(l.text, search) : null
      row = cut && <Row key={l.id} line={l} cut={cut} time={times ? time(l.at) : ''} name={sourceOf(l, names)} hues={hues.current} />
      drawn.set(l, row)
    }
    if (row && !l.remark) found++
    return row ?? []
  })
  useEffect(() => {
    if (box.current && stick && atEnd.current) box.current.scrollTop = box.current.scrollHeight
  })
  return (
    <>
      <p id={count} class="log-count">
        {search === '' && least === ''
          ? t('log.lines', { n: written(lines.kept) })
          : t('log.found', { n: found, all: formatNumber(written(lines.kept)) })}
        {lines.dropped > 0 && ` ${t('log.dropped', { n: lines.dropped })}`}
      </p>
      <div
        ref={box}
        class={wrap ? 'log-text wrap' : 'log-text'}
        role="log"
        aria-describedby={count}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: keys must be able to scroll it
        tabIndex={0}
        onScroll={(e) => {
          const b = e.currentTarget
          atEnd.current = b.scrollHeight - b.scrollTop - b.clientHeight < 24
        }}
      >
        {rows}
      </div>
    </>
  )
}

/** timeWriter formats times of lines to the millisecond, in the zone of the rest of the page. */
function timeWriter(l10n: string): (at: string) => string {
  const format = new Intl.DateTimeFormat(l10n, {
    month: 'short',
    day: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    fractionalSecondDigits: 3,
  })
  return (at) => {
    const ms = Date.parse(at)
    return Number.isNaN(ms) ? '' : format.format(ms)
  }
}

function Row({
  line,
  cut,
  time,
  name,
  hues,
}: {
  line: Line
  cut: readonly Piece[]
  time: string
  name: string
  hues: Map<string, number>
}) {
  const level = line.remark ? 'remark' : levelOf(line.text)
  return (
    <div class={`line ${level}`}>
      {time !== '' && (
        <time dateTime={line.at} title={line.at}>
          {time}
        </time>
      )}
      {name !== '' && <b class={`from from-${hueOf(name, hues)}`}>{name}</b>}
      <span>{cut.map((p, i) => (p.found ? <mark key={i}>{p.text}</mark> : p.text))}</span>
    </div>
  )
}

/** hueOf assigns one of six colours to each name, in order of appearance. */
function hueOf(name: string, hues: Map<string, number>): number {
  const hue = hues.get(name) ?? hues.size % 6
  hues.set(name, hue)
  return hue
}
