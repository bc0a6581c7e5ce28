import { useMemo } from 'preact/hooks'
import type { KubeObject } from '../../api/object'
import type { Pod } from '../../api/pod'
import { resources } from '../../api/resource'
import { useObject, useObjects, useTable } from '../../api/use'
import { t } from '../../i18n'
import { at, tableHref } from '../../route'
import { amountText } from '../../ui/amount'
import { parseQuantity } from '../table/key'
import { type Node, type Share, sharesOf, taintText } from './node'
import { Bar, Facts, Part } from './parts'
import { PodList } from './podlist'
import type { TabProps } from './tabprops'

interface NodeMetrics extends KubeObject {
  readonly usage?: Readonly<Record<string, string>>
}

/** NodeView is a Node's page: its capacity and requests, its Pods, and its system information. */
export function NodeView({ object }: TabProps) {
  const node = object as Node
  const { name } = node.metadata
  const resource = resources.value.get('pods')
  const fields = `spec.nodeName=${name}`
  const read = useObjects<Pod>(resource ? { resource, fields } : null)
  const shares = useMemo(
    () =>
      sharesOf(
        node,
        [...read.items.values()].map((w) => w.object),
      ),
    [node, read.items, read.changed],
  )
  const { object: metrics } = useObject<NodeMetrics>(at.value === null ? resources.value.get('nodes.metrics.k8s.io') : undefined, '', name)
  const rows = useTable(resource ? { resource, fields } : null)
  const { spec = {}, status = {} } = node
  return (
    <>
      <Part title={t('object.capacity')}>
        <ul class="uses">
          {shares.map((s) => (
            <ShareLine key={s.resource} of={s} used={parseQuantity(metrics?.usage?.[s.resource] ?? '')} />
          ))}
        </ul>
      </Part>
      <Part title={t('object.aboutNode')}>
        <Facts
          of={[
            [
              t('object.taints'),
              (spec.taints?.length ?? 0) > 0 && (
                <ul class="pairs">
                  {spec.taints?.map((x) => (
                    <li key={taintText(x)}>
                      <code>{taintText(x)}</code>
                    </li>
                  ))}
                </ul>
              ),
            ],
            [t('object.unschedulable'), spec.unschedulable === true && 'true'],
            ...(status.addresses ?? []).map((a): [string, string] => [a.type, a.address]),
            ['podCIDR', spec.podCIDR],
            ['providerID', spec.providerID],
            ...['kubeletVersion', 'osImage', 'kernelVersion', 'containerRuntimeVersion', 'architecture'].map(
              (k): [string, string | undefined] => [k, status.nodeInfo?.[k]],
            ),
          ]}
        />
      </Part>
      <Part title={t('object.pods', { n: rows.items.size })} wide>
        <PodList rows={[...rows.items.values()]} columns={rows.columns} all={tableHref('pods', { f: fields })} namespaces />
      </Part>
    </>
  )
}

/** ShareLine shows one resource: what is requested and, if measured, used. */
function ShareLine({ of: s, used }: { of: Share; used: number | null }) {
  const requested = t('object.requested', { n: amountText(s.requested, s.resource), of: amountText(s.allocatable, s.resource) })
  const use = used === null ? '' : t('object.used', { n: amountText(used, s.resource) })
  return (
    <li>
      <b>{s.resource}</b>
      <Bar share={s.requested / s.allocatable} full={s.requested > s.allocatable} label={`${s.resource}: ${requested}`} />
      <span>
        {requested} {use !== '' && <span class="faint">{use}</span>}
      </span>
    </li>
  )
}
