import { useContext } from 'preact/hooks'
import type { Row } from '../../api/form'
import { type Resource, resources } from '../../api/resource'
import { shownNow } from '../../clock/clock'
import { objectHref } from '../../route'
import { Age } from '../../ui/age'
import { StateMark } from '../../ui/state'
import { isFailing } from '../../verdict/row'
import { stateOf } from '../../verdict/state'
import { cellOf, type Shown, textOf } from './column'
import { FailingPods } from './failing'
import { ago, agoWithin } from './live'

/** CellText is what stands in a cell. Spans of time go on as the clock does. */
export function CellText({ row, column, resource }: { row: Row; column: Shown; resource: Resource }) {
  const text = textOf(cellOf(row, column))
  switch (column.part) {
    case 'name':
      return (
        <a href={objectHref(resource.id, row.meta.namespace, row.meta.name)} tabIndex={-1}>
          {row.meta.name}
        </a>
      )
    case 'age':
      return <Age since={row.meta.creationTimestamp} />
    case 'ago':
      return <>{ago(text, row.printed, shownNow.value)}</>
    case 'object':
      return <Involved text={text} namespace={row.meta.namespace} />
    case 'ports':
      if (text === '<none>') return <span class="faint">{text}</span>
      return (
        <a href={objectHref(resource.id, row.meta.namespace, row.meta.name, 'network')} tabIndex={-1}>
          {text}
        </a>
      )
    default:
      if (text === '<none>' || text === '<unset>') return <span class="faint">{text}</span>
      return <>{text.endsWith(' ago)') ? agoWithin(text, row.printed, shownNow.value) : text}</>
  }
}

/** Involved is the object that an Event is about, "pod/web-1", as a link where its kind is served. */
export function Involved({ text, namespace }: { text: string; namespace: string | undefined }) {
  const [kind = '', name = ''] = text.split('/')
  const found = [...resources.value.values()].find((r) => r.kind.toLowerCase() === kind)
  if (!found || name === '') return <>{text}</>
  return (
    <a href={objectHref(found.id, found.namespaced ? namespace : undefined, name)} tabIndex={-1}>
      {text}
    </a>
  )
}

/** Mark is the state of a row; nothing where its kind has none. */
export function Mark({ row, columns, resource }: { row: Row; columns: readonly { readonly name: string }[]; resource: Resource }) {
  const failing = isFailing(useContext(FailingPods), resource.id, row.meta)
  const seen = { object: row.object, now: shownNow.value, printed: row.printed, failing }
  const state = stateOf(resource.id, row.meta, (name) => textOf(row.cells[columns.findIndex((c) => c.name === name)] ?? null), seen)
  return state ? <StateMark state={state} /> : null
}
