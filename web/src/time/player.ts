import { signal } from '@preact/signals'
import { loading, sleep } from '../api/feed'
import { moment } from '../clock/clock'
import { at, setQuery } from '../route'
import { readChanges } from './log'
import { history, learn } from './now'
import { type Frame, framesOf, type Pace, paces } from './play'
import { backToNow, reach, scopeOfPage } from './travel'

/** playing is true during a replay. */
export const playing = signal(false)

/** pace is the chosen pace. */
export const pace = signal<Pace>(paces[0] as Pace)

let stopped = new AbortController()

/** stop stops the replay at the current moment. */
export function stop(): void {
  stopped.abort()
  playing.value = false
}

/**
 * togglePlay starts a replay from the moment that is shown, or from the start of the log if that is
 * now; or stops it.
 */
export function togglePlay(): void {
  if (playing.peek()) {
    stop()
    return
  }
  stopped = new AbortController()
  playing.value = true
  void play(stopped.signal).finally(() => {
    playing.value = false
  })
}

/** ahead is how many changes are read at a time. */
const ahead = 300

async function play(signal: AbortSignal): Promise<void> {
  const h = history.peek()
  if (!h) return
  if (at.peek() === null) setQuery({ at: String(Math.max(1, h.oldest.revision)) }, false)
  const end = h.newest.revision
  for (let from = at.peek() ?? 1; !signal.aborted; ) {
    const scope = (reach.peek() === 'page' ? scopeOfPage() : null) ?? {}
    const page = await readChanges(scope, { after: from, limit: ahead }, signal).catch(() => null)
    if (!page || signal.aborted) return // the outage banner says that the server does not answer
    learn(page.items)
    const chosen = pace.peek()
    for (const frame of framesOf(page.items, moment.peek() ?? Date.parse(page.items[0]?.at ?? ''), chosen)) {
      if (!(await showFrame(frame, signal))) return
      from = frame.change.revision
      if (pace.peek() !== chosen) break // plan the rest again
    }
    if (pace.peek() !== chosen) continue
    from = page.next ?? end
    if (page.next === undefined || from >= end) {
      backToNow() // the end of the log when the replay started
      return
    }
  }
}

/**
 * showFrame waits for a frame's time and for the previous frame to be loaded, and pauses while the
 * page is hidden; it returns false if the replay was stopped or the user has gone elsewhere.
 */
async function showFrame(frame: Frame, signal: AbortSignal): Promise<boolean> {
  const before = at.peek()
  await sleep(frame.wait, signal)
  while (!signal.aborted && (document.hidden || loading.peek() > 0)) await settled(signal)
  if (signal.aborted || at.peek() !== before) return false
  setQuery({ at: String(frame.change.revision) }, true)
  return true
}

/** settled waits until the page is visible and nothing is loading. */
function settled(signal: AbortSignal): Promise<void> {
  return new Promise((done) => {
    const look = () => {
      if (!signal.aborted && (document.hidden || loading.peek() > 0)) return
      unsubscribe()
      document.removeEventListener('visibilitychange', look)
      signal.removeEventListener('abort', look)
      done()
    }
    let unsubscribe = () => {}
    unsubscribe = loading.subscribe(() => queueMicrotask(look))
    document.addEventListener('visibilitychange', look)
    signal.addEventListener('abort', look)
  })
}
