import { useEffect, useRef, useState } from 'preact/hooks'
import { accessTo, askAccess, may } from '../../act/may'
import { sleep } from '../../api/feed'
import { getJSON } from '../../api/http'
import type { KubeObject } from '../../api/object'
import type { Own } from '../../api/own'
import type { Pod } from '../../api/pod'
import { type Resource, resources } from '../../api/resource'
import { useObject } from '../../api/use'
import { formatClock, t } from '../../i18n'
import { at } from '../../route'
import { amountText } from '../../ui/amount'
import { parseQuantity } from '../table/key'
import { Part } from './parts'
import { joinSamples, type Measure, pathOf, usual, withSample } from './samples'

interface PodMetrics extends KubeObject {
  readonly timestamp?: string
  readonly containers?: readonly { readonly name: string; readonly usage?: Readonly<Record<string, string>> }[]
}

/** usagePath returns what a Pod has used. */
const usagePath = '/rowlock/v1/usage'

/** settle is how long a moment must be shown before its usage is read, in milliseconds: while time is played it is not. */
const settle = 300

/** Metrics shows a Pod's CPU and memory usage in the hour before the moment that is shown, if metrics are served. */
export function Metrics({ pod }: { pod: Pod }) {
  const resource = resources.value.get('pods.metrics.k8s.io')
  const now = at.value === null
  const { object } = useObject<PodMetrics>(now ? resource : undefined, pod.metadata.namespace ?? '', pod.metadata.name)
  const [live, setLive] = useState<readonly Measure[]>([])
  const [jumps, setJumps] = useState(0)
  const uid = useRef(pod.metadata.uid)
  const past = usePast(pod, resource, jumps)
  useEffect(() => {
    if (!object) return
    const sum = (name: string) => (object.containers ?? []).reduce((n, c) => n + (parseQuantity(c.usage?.[name] ?? '') ?? 0), 0)
    const one = { at: Date.parse(object.timestamp ?? ''), cpu: sum('cpu'), memory: sum('memory') }
    const other = uid.current !== pod.metadata.uid
    uid.current = pod.metadata.uid
    if (past.to > 0 && one.at - Math.max(past.to, live.at(-1)?.at ?? 0) > usual) setJumps((n) => n + 1)
    setLive((before) => withSample(other ? [] : before, one))
  }, [object])
  const all = now ? joinSamples(past.items, live) : past.items
  if (!resource || all.length === 0) return null
  return (
    <Part title={t('object.usage')}>
      <div class="usage">
        <Line of={all} name="CPU" resource="cpu" />
        <Line of={all} name={t('object.memory')} resource="memory" />
      </div>
    </Part>
  )
}

/** Past is what the Pod with a uid used up to a time in milliseconds; 0 if it is not known. */
interface Past {
  readonly uid: string
  readonly to: number
  readonly items: readonly Measure[]
}

const unknown: Past = { uid: '', to: 0, items: [] }

/**
 * usePast reads what a Pod used in the hour before the moment that is shown, and again when the
 * clock has jumped.
 */
function usePast(pod: Pod, metrics: Resource | undefined, jumps: number): Past {
  const [past, setPast] = useState(unknown)
  const { namespace = '', name, uid } = pod.metadata
  const revision = at.value
  const pods = resources.value.get('pods')
  const needs =
    metrics && pods ? [{ verb: 'get', path: usagePath }, accessTo('get', metrics, namespace), accessTo('get', pods, namespace)] : []
  useEffect(() => void askAccess(needs), [JSON.stringify(needs)])
  const allowed = needs.length > 0 && may(needs) === true
  useEffect(() => {
    if (!allowed) return
    const stop = new AbortController()
    const read = async () => {
      await sleep(settle, stop.signal)
      const query = { namespace, pod: name, uid, ...(revision === null ? {} : { at: String(revision) }) }
      const { to, items } = await getJSON<Own<'Usage'>>(usagePath, { query, signal: stop.signal })
      const measures = items.map((i) => ({ at: Date.parse(i.at), cpu: i.cpu, memory: i.memory }))
      if (!stop.signal.aborted) setPast({ uid, to: Date.parse(to), items: measures })
    }
    read().catch(() => stop.signal.aborted || setPast(unknown)) // the page is about the Pod, and says by itself when the server is away
    return () => stop.abort()
  }, [uid, revision, jumps, allowed])
  return past.uid === uid ? past : unknown
}

function Line({ of, name, resource }: { of: readonly Measure[]; name: string; resource: 'cpu' | 'memory' }) {
  const [first, last] = [of[0], of.at(-1)]
  const value = amountText(last?.[resource] ?? 0, resource)
  return (
    <figure>
      <figcaption>
        {name} <b>{value}</b>
      </figcaption>
      <svg viewBox="0 0 200 40" preserveAspectRatio="none" role="img" aria-label={`${name} ${value}`}>
        <path d={pathOf(of, resource, 200, 40)} />
      </svg>
      {first && last && (
        <small class="span">
          <time>{formatClock(first.at)}</time> <time>{formatClock(last.at)}</time>
        </small>
      )}
    </figure>
  )
}
