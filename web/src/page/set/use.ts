import { useMemo } from 'preact/hooks'
import { controllerOf, type KubeObject } from '../../api/object'
import { resources } from '../../api/resource'
import { selectorOf } from '../../api/selector'
import type { Revision } from '../../api/sets'
import { useObjects, useTable } from '../../api/use'
import { formatSelector } from '../../api/workload'
import { shownMinute } from '../../clock/clock'
import { kinshipOf } from '../tree/kin'
import { type Mark, markOf, printerOf } from '../tree/mark'

/** useOwned reads the Pods of a set as rows, which are small. */
export function useOwned(o: KubeObject) {
  const resource = resources.value.get('pods')
  const { namespace, uid } = o.metadata
  const read = useTable(resource ? { resource, namespace, labels: formatSelector(selectorOf(o)) } : null)
  const now = shownMinute.value
  const marks = useMemo((): Mark[] => {
    const printed = printerOf(read.columns)
    return [...read.items.values()]
      .filter((row) => controllerOf(row.meta)?.uid === uid)
      .map((row) => markOf(row, printed(row), kinshipOf(row.meta, o.metadata), now))
  }, [read.items, read.changed, read.columns, uid, now])
  return { ...read, marks }
}

/** useRevisions reads the revisions of a set, newest first. */
export function useRevisions(o: KubeObject) {
  const resource = resources.value.get('controllerrevisions.apps')
  const { namespace, uid } = o.metadata
  const read = useObjects<Revision>(resource ? { resource, namespace, labels: formatSelector(selectorOf(o)) } : null)
  const all = useMemo(
    () =>
      [...read.items.values()]
        .map((w) => w.object)
        .filter((r) => controllerOf(r.metadata)?.uid === uid)
        .sort((a, b) => (b.revision ?? 0) - (a.revision ?? 0)),
    [read.items, read.changed, uid],
  )
  return { ...read, all }
}
