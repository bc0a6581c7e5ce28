import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import { shownNow } from '../../clock/clock'
import { t } from '../../i18n'
import { go, objectHref } from '../../route'
import { formatAge } from '../../ui/age'
import { StateMark } from '../../ui/state'
import { cell, countStates, densely, type Mark } from './mark'

/** Fate is what a scale-down would do to a Pod: its place in the order of deletion, and why. */
export interface Fate {
  readonly place: number
  readonly why: string
}

interface Props {
  readonly marks: readonly Mark[]
  readonly fates: ReadonlyMap<string, Fate>
  /** The uid of the Pod of the page, if it is about one. */
  readonly here?: string
  readonly label: string
}

/** mostNamed is how many Pods are listed with names and states: few enough to read. */
const mostNamed = 12

/** mostSingle is how many Pods are drawn as separate links; more are drawn densely. */
const mostSingle = 240

/** Pods shows Pods as marks: each a link, or a dense picture of them all. */
export function Pods(p: Props) {
  if (p.marks.length === 0) return null
  return p.marks.length > mostSingle ? <DensePods {...p} /> : <SinglePods {...p} />
}

/** describe describes the Pod of a mark. */
function describe(m: Mark, fate?: Fate): string {
  const age = formatAge(shownNow.peek() - Date.parse(m.meta.creationTimestamp))
  const words = [m.meta.name, m.meta.deletionTimestamp === undefined ? m.status : t('tree.terminating'), age, m.node]
  if (m.kinship !== 'own') words.push(t(`tree.${m.kinship}`))
  if (fate) words.push(t('tree.victim', { place: fate.place, why: fate.why }))
  return words.filter((w) => w !== '').join(' · ')
}

/** fade is how long a removed mark is shown fading out, in milliseconds. */
const fade = 450

/** useLeaving keeps removed marks for a moment, so that they can fade out. */
function useLeaving(marks: readonly Mark[]): { shown: readonly Mark[]; gone: ReadonlySet<string> } {
  const before = useRef<readonly Mark[]>([])
  const leaving = useRef(new Map<string, { mark: Mark; after: string }>())
  const [, redraw] = useState(0)
  const present = new Set(marks.map((m) => m.uid))
  before.current.forEach((m, i) => {
    if (present.has(m.uid) || leaving.current.has(m.uid)) return
    leaving.current.set(m.uid, { mark: m, after: before.current[i - 1]?.uid ?? '' })
    setTimeout(() => {
      leaving.current.delete(m.uid)
      redraw((n) => n + 1)
    }, fade)
  })
  before.current = marks
  for (const uid of leaving.current.keys()) if (present.has(uid)) leaving.current.delete(uid)
  if (leaving.current.size === 0) return { shown: marks, gone: new Set() }
  const shown = [...marks]
  for (const { mark, after } of leaving.current.values()) shown.splice(shown.findIndex((m) => m.uid === after) + 1, 0, mark)
  return { shown, gone: new Set(leaving.current.keys()) }
}

function SinglePods({ marks, fates, here, label }: Props) {
  const { shown, gone } = useLeaving(marks)
  const [looked, look] = useState<string | null>(null)
  const at = shown.find((m) => m.uid === looked)
  const named = shown.length <= mostNamed
  return (
    <>
      <ul class={named ? 'pods named' : 'pods'} aria-label={label}>
        {shown.map((m) => {
          const fate = fates.get(m.uid)
          const text = describe(m, fate)
          return (
            <li key={m.uid} class={`${gone.has(m.uid) ? 'gone' : ''} ${fate ? 'victim' : ''}`} aria-hidden={gone.has(m.uid)}>
              <a
                href={objectHref('pods', m.meta.namespace, m.meta.name)}
                class={m.kinship === 'own' ? '' : 'kin'}
                aria-label={text}
                aria-current={m.uid === here ? 'true' : undefined}
                onPointerEnter={() => look(m.uid)}
                onPointerLeave={() => look(null)}
                onFocus={() => look(m.uid)}
                onBlur={() => look(null)}
              >
                <StateMark state={m.state} quiet />
                {fate && <span class="place">{fate.place}</span>}
                {named && (
                  <>
                    <span class="name">{m.meta.name}</span>
                    <small>{m.meta.deletionTimestamp === undefined ? m.status : t('tree.terminating')}</small>
                  </>
                )}
              </a>
            </li>
          )
        })}
      </ul>
      <Described mark={at} fates={fates} />
    </>
  )
}

/**
 * Described describes the mark under the pointer. For screen readers, the link or the picture does.
 */
function Described({ mark, fates }: { mark: Mark | undefined; fates: ReadonlyMap<string, Fate> }) {
  return (
    <p class="described" aria-hidden="true">
      {mark ? describe(mark, fates.get(mark.uid)) : ' '}
    </p>
  )
}

/**
 * DensePods draws thousands of Pods. A pointer or the arrow keys select one, Enter or a click opens
 * it.
 */
function DensePods({ marks, fates, here, label }: Props) {
  const box = useRef<HTMLDivElement>(null)
  const [width, setWidth] = useState(0)
  const [chosen, choose] = useState<number | null>(null)
  useLayoutEffect(() => {
    if (box.current) setWidth(box.current.clientWidth)
  }, [])
  useEffect(() => {
    if (!box.current) return
    const observer = new ResizeObserver(([e]) => e && setWidth(e.contentRect.width))
    observer.observe(box.current)
    return () => observer.disconnect()
  }, [])
  const picture = useMemo(() => densely(marks, width), [marks, width])
  const ringed = (these: (m: Mark) => boolean) =>
    marks
      .flatMap((m, i) => (these(m) ? [i] : []))
      .map((i) => `M${(i % picture.columns) * cell} ${Math.floor(i / picture.columns) * cell}h${cell}v${cell}h-${cell}z`)
      .join('')
  const rings = useMemo(() => (fates.size === 0 ? '' : ringed((m) => fates.has(m.uid))), [marks, fates, picture.columns])
  const own = useMemo(() => (here === undefined ? '' : ringed((m) => m.uid === here)), [marks, here, picture.columns])
  const place = Math.min(chosen ?? 0, marks.length - 1)
  const mark = marks[place]
  const open = () =>
    mark && go({ page: 'object', resource: 'pods', namespace: mark.meta.namespace ?? '', name: mark.meta.name, tab: '', query: {} })
  const keys = (e: KeyboardEvent) => {
    const { columns } = picture
    const by: Record<string, number> = {
      ArrowLeft: -1,
      ArrowRight: 1,
      ArrowUp: -columns,
      ArrowDown: columns,
      Home: -place,
      End: marks.length,
    }
    if (e.key === 'Enter') open()
    else if (by[e.key] === undefined) return
    else choose(Math.max(0, Math.min(marks.length - 1, place + (by[e.key] ?? 0))))
    e.preventDefault()
    e.stopPropagation()
  }
  const point = (e: PointerEvent) => {
    const i = Math.floor(e.offsetY / cell) * picture.columns + Math.min(picture.columns - 1, Math.floor(e.offsetX / cell))
    choose(i >= 0 && i < marks.length ? i : null)
  }
  return (
    <>
      <Counts marks={marks} />
      <div
        ref={box}
        class="dense"
        role="slider"
        tabIndex={0}
        aria-label={label}
        aria-valuemin={1}
        aria-valuemax={marks.length}
        aria-valuenow={place + 1}
        aria-valuetext={mark ? describe(mark, fates.get(mark.uid)) : ''}
        onKeyDown={keys}
        onPointerMove={point}
        onClick={open}
      >
        <svg width={width} height={picture.height} aria-hidden="true">
          {picture.paths.map(([state, d]) => (
            <path key={state} class={`state-${state}`} d={d} />
          ))}
          {rings !== '' && <path class="ring" d={rings} />}
          {own !== '' && <path class="own" d={own} />}
          {chosen !== null && (
            <rect
              class="cursor"
              x={(place % picture.columns) * cell}
              y={Math.floor(place / picture.columns) * cell}
              width={cell}
              height={cell}
              rx="3"
            />
          )}
        </svg>
      </div>
      <Described mark={chosen === null ? undefined : mark} fates={fates} />
    </>
  )
}

/** Counts shows how many Pods are in which state. */
export function Counts({ marks }: { marks: readonly Mark[] }) {
  return (
    <ul class="counts">
      {countStates(marks).map(([state, n]) => (
        <li key={state}>
          <StateMark state={state} /> {n}
        </li>
      ))}
    </ul>
  )
}
