import type { VNode } from 'preact'
import { useEffect, useId, useMemo, useRef, useState } from 'preact/hooks'
import { ApiError } from '../../api/http'
import { resources } from '../../api/resource'
import { moment } from '../../clock/clock'
import { t } from '../../i18n'
import { at, route, setQuery } from '../../route'
import { useKeys } from '../../ui/keys'
import type { TabProps } from '../object/tabs'
import { type Container, containersOf, type Pod } from './container'
import { Lines } from './follow'
import { type Line, type Piece, pieces } from './line'
import '../../style/log.css'

/** Logs shows what a Pod's containers write, as they write it. */
export function Logs({ object }: TabProps) {
  const pod = object as Pod
  const all = containersOf(pod)
  const { c: wanted = '', previous = '', q = '', times = '', wrap = '1' } = route.value.query
  const shown = all.filter((one) => wanted === '' || one.name === wanted)
  const [following, setFollowing] = useState(true)
  const search = useRef<HTMLInputElement>(null)
  useKeys([{ keys: ['/'], label: t('log.search'), run: () => search.current?.focus() }])
  const lines = useLines(pod, shown, previous !== '', following)
  return (
    <section class="log" aria-label={t('tab.log')}>
      <div class="log-tools">
        <label>
          <span class="unseen">{t('log.container')}</span>
          <select value={all.length === 1 ? all[0]?.name : wanted} onChange={(e) => setQuery({ c: e.currentTarget.value })}>
            {all.length > 1 && <option value="">{t('log.all')}</option>}
            {all.map((one) => (
              <option key={one.name} value={one.name}>
                {one.init ? t('log.init', { name: one.name }) : one.name}
              </option>
            ))}
          </select>
        </label>
        <input
          ref={search}
          type="search"
          placeholder={t('log.search')}
          aria-label={t('log.search')}
          value={q}
          onInput={(e) => setQuery({ q: e.currentTarget.value })}
        />
        <Toggle label={t('log.follow')} on={following} set={setFollowing} disabled={at.value !== null} />
        <Toggle
          label={t('log.previous')}
          on={previous !== ''}
          set={(on) => setQuery({ previous: on ? '1' : '' })}
          disabled={!shown.some((one) => one.previous)}
        />
        <Toggle label={t('log.times')} on={times !== ''} set={(on) => setQuery({ times: on ? '1' : '' })} />
        <Toggle label={t('log.wrap')} on={wrap !== '0'} set={(on) => setQuery({ wrap: on ? '' : '0' })} />
      </div>
      {shown
        .filter((one) => one.waiting !== '')
        .map((one) => (
          <p key={one.name} class="notice">
            {t('log.waiting', { name: one.name, reason: one.waiting })}
          </p>
        ))}
      <Text lines={lines} search={q} times={times !== ''} wrap={wrap !== '0'} names={shown.length > 1} stick={following} />
    </section>
  )
}

function Toggle(p: { label: string; on: boolean; set: (on: boolean) => void; disabled?: boolean }) {
  return (
    <label class="toggle">
      <input type="checkbox" checked={p.on} disabled={p.disabled ?? false} onChange={(e) => p.set(e.currentTarget.checked)} />
      {p.label}
    </label>
  )
}

/** useLines reads the logs of containers, and goes on with a container's next run when it restarts. */
function useLines(pod: Pod, containers: readonly Container[], previous: boolean, follow: boolean): Lines {
  const pods = resources.value.get('pods')
  const { namespace = '', name, uid } = pod.metadata
  const until = at.value === null || moment.value === null ? '' : `${new Date(moment.value).toISOString().slice(0, -1)}999999Z`
  const started = containers.filter((c) => (previous ? c.previous : c.runs > 0))
  const which = `${uid} ${containers.map((c) => c.name).join()} ${previous} ${until}`
  const lines = useMemo(() => new Lines(), [which])
  const runs = useRef(new Map<string, number>())
  useEffect(() => {
    runs.current = new Map()
    return () => lines.close()
  }, [lines])
  useEffect(() => {
    for (const c of started) {
      const before = runs.current.get(c.name)
      if (!pods || before === c.runs) continue
      runs.current.set(c.name, c.runs)
      if (before !== undefined && previous) continue
      if (before !== undefined) lines.remark(c.name, t('log.restarted', { name: c.name }))
      const asked = { pods, namespace, pod: name, container: c.name, previous, follow: follow && !previous && until === '', until }
      lines.read(asked).catch((e: unknown) => lines.remark(c.name, e instanceof ApiError ? e.message : String(e)))
    }
  }, [lines, started.map((c) => `${c.name} ${c.runs}`).join(), follow])
  return lines
}

interface TextProps {
  readonly lines: Lines
  readonly search: string
  readonly times: boolean
  readonly wrap: boolean
  readonly names: boolean
  readonly stick: boolean
}

/** Text is the lines themselves. It stays at the newest while it is followed, until the person scrolls away from there. */
function Text({ lines, search, times, wrap, names, stick }: TextProps) {
  void lines.changed.value
  const box = useRef<HTMLDivElement>(null)
  const atEnd = useRef(true)
  const count = useId()
  // A line that has been drawn is not drawn again: the same node tells Preact that there is nothing to compare.
  const drawn = useMemo(() => new WeakMap<Line, VNode | null>(), [search, times, names])
  const rows = lines.kept.flatMap((l) => {
    let row = drawn.get(l)
    if (row === undefined) {
      const cut = pieces(l.text, search)
      row = cut && <Row key={l.id} line={l} cut={cut} times={times} name={names} />
      drawn.set(l, row)
    }
    return row ?? []
  })
  useEffect(() => {
    if (box.current && stick && atEnd.current) box.current.scrollTop = box.current.scrollHeight
  })
  return (
    <>
      <p id={count} class="log-count">
        {search === '' ? t('log.lines', { n: lines.kept.length }) : t('log.found', { n: rows.length, all: lines.kept.length })}
        {lines.dropped > 0 && ` ${t('log.dropped', { n: lines.dropped })}`}
      </p>
      <div
        ref={box}
        class={wrap ? 'log-text wrap' : 'log-text'}
        role="log"
        aria-describedby={count}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached with the keyboard
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

function Row({ line, cut, times, name }: { line: Line; cut: readonly Piece[]; times: boolean; name: boolean }) {
  return (
    <div class={line.remark ? 'line remark' : 'line'}>
      {times && <time>{line.at.slice(0, 23)}</time>}
      {name && <b class={`from from-${hue(line.container)}`}>{line.container}</b>}
      <span>{cut.map((p, i) => (p.found ? <mark key={i}>{p.text}</mark> : p.text))}</span>
    </div>
  )
}

/** hue is one of six colours for a container's name, always the same. */
function hue(name: string): number {
  let sum = 0
  for (const c of name) sum = (sum * 31 + (c.codePointAt(0) ?? 0)) % 997
  return sum % 6
}
