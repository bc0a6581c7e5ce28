import { useEffect, useRef, useState } from 'preact/hooks'
import type { KubeObject } from '../../api/object'
import type { Pod } from '../../api/pod'
import { resources } from '../../api/resource'
import { useObject } from '../../api/use'
import { t } from '../../i18n'
import { at } from '../../route'
import { amountText } from '../../ui/amount'
import { parseQuantity } from '../table/key'
import { Part } from './parts'
import { type Measure, pathOf, withSample } from './samples'

interface PodMetrics extends KubeObject {
  readonly timestamp?: string
  readonly containers?: readonly { readonly name: string; readonly usage?: Readonly<Record<string, string>> }[]
}

/** Metrics shows a Pod's CPU and memory usage, if metrics are served, since the page was opened. */
export function Metrics({ pod }: { pod: Pod }) {
  const resource = resources.value.get('pods.metrics.k8s.io')
  const now = at.value === null
  const { object } = useObject<PodMetrics>(now ? resource : undefined, pod.metadata.namespace ?? '', pod.metadata.name)
  const [all, setAll] = useState<readonly Measure[]>([])
  const uid = useRef(pod.metadata.uid)
  useEffect(() => {
    if (!object) return
    const sum = (name: string) => (object.containers ?? []).reduce((n, c) => n + (parseQuantity(c.usage?.[name] ?? '') ?? 0), 0)
    const other = uid.current !== pod.metadata.uid
    uid.current = pod.metadata.uid
    setAll((before) => withSample(other ? [] : before, { at: Date.parse(object.timestamp ?? ''), cpu: sum('cpu'), memory: sum('memory') }))
  }, [object])
  if (!resource || !now || all.length === 0) return null
  return (
    <Part title={t('object.usage')}>
      <div class="usage">
        <Line of={all} name="CPU" resource="cpu" />
        <Line of={all} name={t('object.memory')} resource="memory" />
      </div>
    </Part>
  )
}

function Line({ of, name, resource }: { of: readonly Measure[]; name: string; resource: 'cpu' | 'memory' }) {
  const last = of.at(-1)?.[resource] ?? 0
  const value = amountText(last, resource)
  return (
    <figure>
      <figcaption>
        {name} <b>{value}</b>
      </figcaption>
      <svg viewBox="0 0 200 40" preserveAspectRatio="none" role="img" aria-label={`${name} ${value}`}>
        <path d={pathOf(of, resource, 200, 40)} />
      </svg>
    </figure>
  )
}
