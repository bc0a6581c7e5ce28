import { useMemo } from 'preact/hooks'
import { controllerOf, type KubeObject } from '../../api/object'
import { resources } from '../../api/resource'
import { selectorOf, selectorText } from '../../api/selector'
import { useObjects } from '../../api/use'
import { t } from '../../i18n'
import { Trouble } from '../../ui/trouble'
import type { TabProps } from '../object/tabprops'
import type { Pod } from './container'
import { View } from './view'

/** mostPods is how many Pods' logs are read at once: the newest. */
const mostPods = 20

/**
 * WorkloadLogs shows the logs of all Pods of a workload as one, merged by cluster time, and adds
 * new Pods.
 */
export function WorkloadLogs({ resource, object }: TabProps) {
  return resource.id === 'cronjobs.batch' ? (
    <OfCronJob object={object} />
  ) : (
    <OfSelector object={object} labels={selectorText(selectorOf(object))} />
  )
}

function OfSelector({ object, labels }: { object: KubeObject; labels: string }) {
  const pods = resources.value.get('pods')
  const { namespace, name, uid } = object.metadata
  const read = useObjects<Pod>(pods && labels !== '' ? { resource: pods, namespace, labels } : null)
  const all = useMemo(() => newest([...read.items.values()].map((w) => w.object)), [read.changed, read.items])
  return (
    <>
      {labels !== '' && read.phase !== 'live' && read.phase !== 'past' && <Trouble of={read} />}
      <View of={uid} name={name} pods={all.slice(0, mostPods)} several>
        {all.length > mostPods && <p class="notice">{t('log.mostPods', { n: mostPods, all: all.length })}</p>}
        {all.length === 0 && (read.phase === 'live' || read.phase === 'past' || labels === '') && <p class="notice">{t('log.noPods')}</p>}
      </View>
    </>
  )
}

/** newest sorts Pods by creation, newest first. */
export const newest = (pods: readonly Pod[]): Pod[] =>
  [...pods].sort(
    (a, b) => b.metadata.creationTimestamp.localeCompare(a.metadata.creationTimestamp) || a.metadata.name.localeCompare(b.metadata.name),
  )

/**
 * OfCronJob finds the Pods by the names of the CronJob's newest Jobs, because a CronJob has no
 * selector.
 */
function OfCronJob({ object }: { object: KubeObject }) {
  const jobs = resources.value.get('jobs.batch')
  const { namespace, uid } = object.metadata
  const read = useObjects(jobs ? { resource: jobs, namespace } : null)
  const names = [...read.items.values()].filter((j) => controllerOf(j.object.metadata)?.uid === uid).map((j) => j.meta.name)
  const last = names.sort().slice(-mostPods)
  return <OfSelector object={object} labels={last.length === 0 ? '' : `batch.kubernetes.io/job-name in (${last.join(',')})`} />
}
