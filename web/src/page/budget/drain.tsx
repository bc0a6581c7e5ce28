import { useMemo } from 'preact/hooks'
import { Verdicts } from '../../act/draining'
import { type DrainPod, planDrain } from '../../act/drainplan'
import { HoldList, useHolds } from '../../act/holds'
import { resources } from '../../api/resource'
import { useObjects } from '../../api/use'
import { t } from '../../i18n'
import { Trouble } from '../../ui/trouble'
import type { TabProps } from '../object/tabprops'
import { Head } from '../set/head'
import '../../act/act.css'
import './budget.css'

/**
 * DrainView shows which Pods a drain of a node would evict at the moment that is shown, and what
 * would block it.
 */
export function DrainView({ object }: TabProps) {
  const pods = resources.value.get('pods')
  const read = useObjects<DrainPod>(pods ? { resource: pods, fields: `spec.nodeName=${object.metadata.name}` } : null)
  const plan = useMemo(
    () =>
      planDrain(
        [...read.items.values()].map((p) => p.object),
        { unmanaged: false, emptyDir: false },
      ),
    [read.items, read.changed],
  )
  const holds = useHolds(plan.evict)
  const n = plan.evict.length
  const said = {
    state: holds.held > 0 ? 'wait' : n === 0 ? 'done' : 'ok',
    key: holds.held > 0 ? 'drain.held' : n === 0 ? 'drain.empty' : 'drain.free',
    values: holds.held > 0 ? { n: holds.held, all: n } : { n },
  } as const
  const cordoned = (object.spec as { unschedulable?: boolean } | undefined)?.unschedulable === true
  return (
    <div class="set">
      <Head words={said} facts={cordoned ? [[t('drain.node'), t('why.cordoned')]] : []} />
      <Trouble of={read} />
      <Verdicts plan={plan} />
      <HoldList holds={holds} />
    </div>
  )
}
