import { type ComponentChildren, createContext } from 'preact'
import { useMemo } from 'preact/hooks'
import type { Row } from '../../api/form'
import { type Resource, resources } from '../../api/resource'
import { useTable } from '../../api/use'
import { shownMinute } from '../../clock/clock'
import { type Failing, failingOf, placesOf } from '../../verdict/row'
import { judgedByPods, stateOf } from '../../verdict/state'

const none: Failing = new Set()

/** FailingPods holds the workloads with failing Pods, for the marks of a table's rows. */
export const FailingPods = createContext<Failing>(none)

interface Props {
  readonly resource: Resource
  readonly namespace: string | undefined
  readonly rows: ReadonlyMap<string, Row>
  /** Changes with every change of the rows. */
  readonly changed: number
  readonly children: ComponentChildren
}

/**
 * WithFailing finds them for the table of a kind. It reads Pods only while a workload lacks some,
 * because otherwise nothing depends on them.
 */
export function WithFailing({ resource, namespace, rows, changed, children }: Props) {
  const now = shownMinute.value
  const short = useMemo(() => judgedByPods.has(resource.id) && isAnyBusy(resource.id, rows.values(), now), [resource.id, changed, now])
  const pods = resources.value.get('pods')
  const read = useTable(short && pods ? { resource: pods, namespace } : null)
  const failing = useMemo(() => {
    const places = placesOf(read.columns)
    return places ? failingOf(read.items.values(), places, now) : none
  }, [read.items, read.changed, read.columns, now])
  return <FailingPods.Provider value={failing}>{children}</FailingPods.Provider>
}

function isAnyBusy(resource: string, rows: Iterable<Row>, now: number): boolean {
  for (const row of rows) if (stateOf(resource, row.meta, () => '', { object: row.object, now, printed: 0 }) === 'busy') return true
  return false
}
