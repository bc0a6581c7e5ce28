import { useEffect, useState } from 'preact/hooks'
import { readJSON } from '../../api/read'
import { at } from '../../route'
import { type Changes, changesPath, type Detail } from '../../time/log'
import type { CronJob, Job } from './kinds'

/**
 * looked limits how many deletions of Jobs are read, mostGone how many runs are taken from them,
 * the newest first.
 */
const looked = 300
const mostGone = 40

/** atOnce is how many of them are read at the same time. */
const atOnce = 4

/** goneOf picks the deletions of Jobs whose names match a CronJob's, newest first. */
export function goneOf(all: Changes['items'], cronJob: string): Changes['items'] {
  return all.filter((c) => c.name.startsWith(`${cronJob}-`)).slice(0, mostGone)
}

/** isOf reports whether a Job belongs to a CronJob; the name alone does not prove that. */
export const isOf = (j: Job, uid: string): boolean => j.metadata.ownerReferences?.some((o) => o.uid === uid && o.controller) ?? false

/**
 * useGone reads the runs of a CronJob whose Jobs have been deleted from the log, with their last
 * state, and again after each run.
 */
export function useGone(c: CronJob): readonly Job[] {
  const [gone, setGone] = useState<ReadonlyMap<number, Job>>(new Map())
  const { namespace = '', name, uid } = c.metadata
  const upTo = at.value
  const key = `${uid} ${upTo ?? ''}`
  useEffect(() => setGone(new Map()), [key])
  useEffect(() => {
    const stop = new AbortController()
    const { signal } = stop
    const query = {
      resource: 'jobs.batch',
      namespace,
      verb: 'deleted',
      newest: true,
      limit: looked,
      ...(upTo === null ? {} : { before: upTo + 1 }),
    }
    const read = async () => {
      const page = await readJSON<Changes>(changesPath, { query, signal })
      const left = goneOf(page.items, name).filter((g) => !gone.has(g.revision))
      const found: [number, Job][] = []
      const work = async () => {
        for (let g = left.shift(); g && !signal.aborted; g = left.shift()) {
          const d = await readJSON<Detail>(`${changesPath}/${g.revision}`, { signal })
          const job = (d.previous ?? d.object) as Job | undefined
          if (job && isOf(job, uid)) found.push([g.revision, job])
        }
      }
      await Promise.all(Array.from({ length: atOnce }, work))
      if (!signal.aborted && found.length > 0) setGone((old) => new Map([...old, ...found]))
    }
    read().catch(() => undefined) // the existing Jobs are shown anyway
    return () => stop.abort()
  }, [key, c.status?.lastScheduleTime, (c.status?.active ?? []).length])
  return [...gone.values()]
}
