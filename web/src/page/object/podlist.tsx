import type { Column, Row } from '../../api/form'
import { resources } from '../../api/resource'
import { shownNow } from '../../clock/clock'
import { t } from '../../i18n'
import { Age } from '../../ui/age'
import { Mark } from '../table/cells'
import { naturalKey } from '../table/key'
import { agoWithin } from '../table/live'
import { Grid, Ref } from './parts'

/** most is how many Pods are listed; the table has all. */
const most = 50

/**
 * PodList lists Pods as the server prints them, with links. `all` is the address of the full table.
 */
export function PodList(p: { rows: readonly Row[]; columns: readonly Column[]; all: string; namespaces?: boolean }) {
  const pods = resources.value.get('pods')
  const place = (name: string) => p.columns.findIndex((c) => c.name === name)
  const [ready, status, restarts] = [place('Ready'), place('Status'), place('Restarts')]
  const cell = (row: Row, i: number) => String(row.cells[i] ?? '')
  const keyOf = (row: Row) => `${row.meta.namespace ?? ''}/${naturalKey(row.meta.name)}`
  const sorted = p.rows.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))
  return (
    <>
      <Grid
        head={[
          t('field.name'),
          ...(p.namespaces ? [t('field.namespace')] : []),
          t('object.ready'),
          t('sts.status'),
          t('object.restarts'),
          t('field.age'),
        ]}
        empty={t('object.noPods')}
        rows={sorted.slice(0, most).map((row) => [
          <span key="name">
            {pods && <Mark row={row} columns={p.columns} resource={pods} />}{' '}
            <Ref to="pods" namespace={row.meta.namespace} name={row.meta.name} />
          </span>,
          ...(p.namespaces ? [row.meta.namespace] : []),
          cell(row, ready),
          cell(row, status),
          agoWithin(cell(row, restarts), row.printed, shownNow.value),
          <Age key="age" since={row.meta.creationTimestamp} />,
        ])}
      />
      {sorted.length > most && <a href={p.all}>{t('overview.more', { n: sorted.length - most })}</a>}
    </>
  )
}
