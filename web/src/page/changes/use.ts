import { useEffect, useRef, useState } from 'preact/hooks'
import { diffObjects, summaryOf } from '../../time/diff'
import { type Change, readChange, readChanges, type Scope } from '../../time/log'
import { epoch, hear, learn, startTime } from '../../time/now'
import { concerns, withNewer, withOlder } from './words'

/** ChangeList is a part of the log, newest first. */
export interface ChangeList {
  readonly items: readonly Change[]
  /** The revision before which the list continues; undefined at the start of the log. */
  readonly next: number | undefined
  readonly loading: boolean
  readonly error: Error | null
}

const empty: ChangeList = { items: [], next: undefined, loading: true, error: null }

const pageSize = 100

/**
 * useChanges reads the log of a scope up to a revision, or up to now and then follows it. `more`
 * reads older changes.
 */
export function useChanges(scope: Scope, upTo: number | null): { list: ChangeList; more: () => void } {
  const key = JSON.stringify([scope, upTo, upTo === null ? epoch.value : 0])
  const [list, setList] = useState<ChangeList>(empty)
  const stop = useRef(new AbortController())
  const read = (before: number | undefined, signal: AbortSignal) =>
    readChanges(scope, { newest: true, limit: pageSize, ...(before === undefined ? {} : { before }) }, signal).then(
      (page) => {
        learn(page.items)
        if (!signal.aborted)
          setList((l) => ({
            items: withOlder(l.items, page.items),
            next: page.next,
            loading: false,
            error: null,
          }))
      },
      (error: Error) => {
        if (!signal.aborted) setList((l) => ({ ...l, loading: false, error }))
      },
    )
  useEffect(() => {
    startTime()
    stop.current = new AbortController()
    const { signal } = stop.current
    setList(empty)
    if (upTo === null && epoch.value === 0) return
    let come: Change[] = []
    let frame = 0
    const silence =
      upTo === null
        ? hear((all) => {
            come.push(...all.filter((c) => concerns(c, scope)))
            if (come.length === 0 || frame !== 0) return
            frame = requestAnimationFrame(() => {
              frame = 0
              const taken = come
              come = []
              learn(taken)
              // The first page may be older than changes that arrived before it.
              setList((l) => ({ ...l, items: withNewer(l.items, taken) }))
            })
          })
        : () => false
    void read(upTo === null ? undefined : upTo + 1, signal)
    return () => {
      stop.current.abort()
      silence()
      cancelAnimationFrame(frame)
    }
  }, [key])
  const more = () => {
    if (list.loading || list.next === undefined) return
    setList((l) => ({ ...l, loading: true }))
    void read(list.next, stop.current.signal)
  }
  return { list, more }
}

/** Summary names the fields that a change changed. */
export interface Summary {
  readonly paths: readonly string[]
  readonly more: number
}

/** summaries caches the summaries seen most recently. */
const summaries = new Map<number, Promise<Summary>>()
const kept = 400

/** under is the number of summaries being read; the others wait. */
let under = 0
const waiting: (() => void)[] = []

async function summarize(revision: number): Promise<Summary> {
  if (under >= 4) await new Promise<void>((go) => waiting.push(go))
  under++
  try {
    const d = await readChange(revision, new AbortController().signal)
    if (d.verb === 'created' || d.verb === 'deleted' || d.previousExpired) return { paths: [], more: 0 }
    return summaryOf(diffObjects(d.previous, d.object), 3)
  } finally {
    under--
    waiting.shift()?.()
  }
}

/** useSummary returns the summary of a change, read once the element is visible. */
export function useSummary(revision: number, ref: { current: Element | null }): Summary | undefined {
  const [summary, setSummary] = useState<Summary>()
  useEffect(() => {
    let wanted = true
    const look = () => {
      const known = summaries.get(revision) ?? summarize(revision)
      summaries.delete(revision)
      summaries.set(revision, known)
      const [first] = summaries.keys()
      if (summaries.size > kept && first !== undefined) summaries.delete(first)
      known.then(
        (s) => wanted && setSummary(s),
        () => summaries.delete(revision), // compacted, or retried when it is visible again
      )
    }
    const seen = new IntersectionObserver((all) => {
      if (!all.some((e) => e.isIntersecting)) return
      seen.disconnect()
      look()
    })
    if (ref.current) seen.observe(ref.current)
    return () => {
      wanted = false
      seen.disconnect()
    }
  }, [revision])
  return summary
}
