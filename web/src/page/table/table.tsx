import { resources } from '../../api/resource'
import { useTable } from '../../api/use'
import { t } from '../../i18n'
import { objectHref, route } from '../../route'
import { titleOf } from '../../shell/kind'
import { Trouble } from '../../ui/trouble'

/** Table shows the objects of a kind as the server prints them. */
export function Table() {
  const r = route.value
  const id = r.page === 'table' ? r.resource : ''
  const resource = resources.value.get(id)
  const table = useTable(resource ? { resource, namespace: r.query.ns, labels: r.query.l, fields: r.query.f } : null)
  if (!resource) return <p class="notice bad">{t('load.unknownKind', { name: id })}</p>
  const columns = table.columns.map((c, i) => ({ ...c, i })).filter((c) => c.priority === 0)
  return (
    <>
      <h1>{titleOf(resource)}</h1>
      <Trouble of={table} />
      <table>
        <thead>
          <tr>
            {columns.map((c) => (
              <th key={c.name} scope="col" title={c.description}>
                {c.name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {[...table.items.values()].map((row) => (
            <tr key={row.meta.uid}>
              {columns.map((c) => (
                <td key={c.name}>
                  {c.i === 0 ? <a href={objectHref(id, row.meta.namespace, row.meta.name)}>{row.meta.name}</a> : row.cells[c.i]}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </>
  )
}
