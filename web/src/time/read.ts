import { computed, effect, signal } from '@preact/signals'
import { accessTo, askAccess, may } from '../act/may'
import { readJSON } from '../api/read'
import { resources } from '../api/resource'
import { clusterNow, reading } from '../clock/clock'
import { whoOf } from '../page/changes/words'
import { placeOfTime, revisionAt } from './axis'
import { type Change, type Changes, changesPath, type Scope } from './log'
import { faults, type Mark, markOf, marksOfWarning, revisionKinds, type Warning } from './marks'
import { axis, epoch, hear } from './now'
import { scopeOfPage } from './travel'

/** asked is how many changes of a kind are requested; kept is the maximum number of marks. */
const asked = 300
const kept = 1500

/** ofLog are the marks of changes in the log, by revision. */
const ofLog = signal<ReadonlyMap<number, Mark>>(new Map())
const ofEvents = signal<readonly Mark[]>([])

/** marks are the marks of the whole cluster. */
export const marks = computed<readonly Mark[]>(() => {
  const advance = reading.value?.clock.advance
  const clock: Mark[] = advance
    ? [
        { kind: 'clock', at: Date.parse(advance.from), what: 'advanced', by: advance.from },
        ...(advance.ended ? [{ kind: 'clock' as const, at: Date.parse(advance.ended), what: 'ended' as const, by: advance.ended }] : []),
      ]
    : []
  return [...ofLog.value.values(), ...ofEvents.value, ...clock]
})

/** revisionOf returns the revision of a mark, estimated from its time if only that is known. */
export const revisionOf = (m: Mark): number => m.revision ?? revisionAt(axis.peek(), placeOfTime(axis.peek(), m.at))

/** ofObject holds the changes of the object whose page is shown, whose marks are shown too. */
export const ofObject = signal<readonly Pick<Change, 'revision' | 'at'>[]>([])

function take(changes: readonly Change[]): void {
  const found = changes.flatMap((c) => {
    const mark = markOf(c, (one) => whoOf(one.writer))
    return mark ? [[c.revision, mark] as const] : []
  })
  if (found.length === 0) return
  const all = [...ofLog.peek(), ...found].sort(([a], [b]) => a - b)
  ofLog.value = new Map(all.slice(-kept))
}

/** load reads the newest marks that the user may see; later ones arrive as they happen. */
function load(signal: AbortSignal): void {
  const read = (query: Record<string, string | number | boolean>) =>
    readJSON<Changes>(changesPath, { query: { newest: true, limit: asked, ...query }, signal }).then(
      (page) => take(page.items),
      () => undefined,
    )
  void read({ requests: true })
  void read({ resource: faults })
  for (const resource of revisionKinds) void read({ resource, verb: 'created' })
}

/** loadWarnings reads the current Warnings, if the user may see all of them. */
async function loadWarnings(signal: AbortSignal): Promise<void> {
  const events = resources.peek().get('events')
  if (!events) return
  const needs = [accessTo('list', events, undefined)]
  await askAccess(needs)
  if (may(needs) === false || signal.aborted) return
  readJSON<{ items: Warning[] }>('/api/v1/events', { query: { fieldSelector: 'type=Warning', limit: 500 }, signal }).then(
    (list) => {
      const now = clusterNow()
      ofEvents.value = list.items.flatMap((e) => marksOfWarning(e, now))
    },
    () => undefined,
  )
}

/** pause is the minimum time between two reads of Warnings, in milliseconds. */
const pause = 10_000

let started = false

/** startMarks keeps the marks, starting when the log is followed. */
export function startMarks(): void {
  if (started) return
  started = true
  let stop = new AbortController()
  effect(() => {
    if (epoch.value === 0) return
    stop.abort()
    stop = new AbortController()
    load(stop.signal)
    void loadWarnings(stop.signal)
  })
  let due = 0
  hear((changes) => {
    take(changes)
    if (due !== 0 || !changes.some((c) => c.resource === 'events')) return
    due = setTimeout(() => {
      due = 0
      void loadWarnings(stop.signal)
    }, pause) as unknown as number
  })
  keepObject()
}

/** keepObject keeps the changes of the current object. */
function keepObject(): void {
  const scope = computed<string>(() => {
    const s = scopeOfPage()
    return s?.name ? JSON.stringify(s) : ''
  })
  let stop = new AbortController()
  effect(() => {
    const text = scope.value
    stop.abort()
    ofObject.value = []
    if (text === '' || epoch.value === 0) return
    stop = new AbortController()
    readJSON<Changes>(changesPath, {
      query: { ...(JSON.parse(text) as Scope), newest: true, limit: asked },
      signal: stop.signal,
    }).then(
      (page) => {
        ofObject.value = page.items
        take(page.items) // its marks may be older than those that are read for the whole cluster
      },
      () => undefined,
    )
  })
  hear((changes) => {
    if (scope.peek() === '') return
    const s = JSON.parse(scope.peek()) as Scope
    const fresh = changes.filter((c) => c.resource === s.resource && c.name === s.name && (s.namespace ?? '') === (c.namespace ?? ''))
    if (fresh.length > 0) ofObject.value = [...fresh, ...ofObject.peek()].slice(0, kept)
  })
}
