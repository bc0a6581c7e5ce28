import { Component, type VNode } from 'preact'
import { useEffect, useId, useMemo, useRef } from 'preact/hooks'
import { formatNumber, language, t } from '../../i18n'
import type { Lines } from './follow'
import { graveEnough, type Least, levelOf } from './level'
import { blocksOf, type Line, type Piece, pieces, sourceOf, written } from './line'

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
  const hues = useRef(new Map<string, number>())
  const cuts = useMemo(() => new WeakMap<Line, readonly Piece[] | null>(), [search, least])
  const cutOf = (l: Line): readonly Piece[] | null => {
    let cut = cuts.get(l)
    if (cut === undefined) {
      cut = grave(l, least) ? pieces(l.text, search) : null
      cuts.set(l, cut)
    }
    return cut
  }
  const blocks = blocksOf(lines.kept, lines.dropped).map((b) => ({ ...b, lines: b.lines.filter((l) => cutOf(l) !== null) }))
  const found = blocks.reduce((n, b) => n + written(b.lines), 0)
  const look = useMemo(
    () => (l: Line) => (
      <Row key={l.id} line={l} cut={cutOf(l) ?? []} time={times ? time(l.at) : ''} name={sourceOf(l, names)} hues={hues.current} />
    ),
    [cuts, times, names, time],
  )
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
        {blocks.map((b) => (
          <Block key={b.key} lines={b.lines} look={look} />
        ))}
      </div>
    </>
  )
}

interface BlockProps {
  readonly lines: readonly Line[]
  readonly look: (l: Line) => VNode
}

/**
 * Block draws some lines, and draws them again only if they or their look have changed. To keep the
 * drawn nodes instead would keep all that were ever beside them: Preact's nodes know their parents.
 */
class Block extends Component<BlockProps> {
  override shouldComponentUpdate(next: BlockProps): boolean {
    const { lines, look } = this.props
    return look !== next.look || lines.length !== next.lines.length || lines.some((l, i) => l !== next.lines[i])
  }

  override render({ lines, look }: BlockProps): VNode[] {
    return lines.map(look)
  }
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
