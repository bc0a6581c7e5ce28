import { resources } from '../../api/resource'
import { useTable } from '../../api/use'
import { t } from '../../i18n'
import { route, tableHref } from '../../route'
import { titleOf } from '../../shell/kind'

const counted = ['deployments.apps', 'jobs.batch', 'cronjobs.batch', 'pods', 'nodes']

/** Overview shows how the cluster is. */
export function Overview() {
  return (
    <>
      <h1>{t('nav.overview')}</h1>
      <ul class="tiles">
        {counted.map((id) => (
          <Count key={id} id={id} />
        ))}
      </ul>
    </>
  )
}

function Count({ id }: { id: string }) {
  const resource = resources.value.get(id)
  const table = useTable(resource ? { resource, namespace: route.value.query.ns } : null)
  if (!resource) return null
  return (
    <li>
      <a href={tableHref(id)}>
        {titleOf(resource)} <strong>{table.items.size + table.remaining}</strong>
      </a>
    </li>
  )
}
