import { useContext } from 'preact/hooks'
import type { Row } from '../../api/form'
import { type Resource, resources } from '../../api/resource'
import { shownNow } from '../../clock/clock'
import { objectHref } from '../../route'
import { standing } from '../../time/now'
import { Age } from '../../ui/age'
import { type State, StateMark } from '../../ui/state'
import { isFailing } from '../../verdict/row'
import { stateOf } from '../../verdict/state'
import { cellOf, type Shown, textOf } from './column'
import { FailingPods } from './failing'
import { ago, agoWithin } from './live'

/**
 * tail is how many characters at the end of a truncated name stay visible, because generated names
 * differ there.
 */
const tail = 6

interface RowProps {
  readonly row: Row
  readonly columns: readonly { readonly name: string }[]
  readonly resource: Resource
}

/**
 * CellText is the content of a cell. Durations keep counting. `cut` keeps the end of a name that is
 * too long.
 */
export function CellText({ row, column, columns, resource, cut }: RowProps & { column: Shown; cut: boolean }) {
  const text = textOf(cellOf(row, column))
  switch (column.part) {
    case 'name':
      return (
        <a href={objectHref(resource.id, row.meta.namespace, row.meta.name)} tabIndex={-1} aria-label={cut ? row.meta.name : undefined}>
          {cut ? <Middle of={row.meta.name} /> : row.meta.name}
        </a>
      )
    case 'message':
      return (
        <a href={objectHref(resource.id, row.meta.namespace, row.meta.name)} tabIndex={-1}>
          {text}
        </a>
      )
    case 'age':
      return <Age since={row.meta.creationTimestamp} />
    case 'ago':
      return <>{ago(text, row.printed, shownNow.value)}</>
    case 'object':
      return <Involved text={text} namespace={row.meta.namespace} />
    case 'namespace':
      return <Place resource="namespaces" name={text} />
    case 'node':
      return <Place resource="nodes" name={text} />
    case 'state':
      return <Chip text={text} row={row} columns={columns} resource={resource} />
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

/** Middle is a text that is truncated in the middle if it does not fit. */
function Middle({ of }: { of: string }) {
  return (
    <span class="middle">
      <span>{of.slice(0, -tail)}</span>
      <span>{of.slice(-tail)}</span>
    </span>
  )
}

/** Involved is the object of an Event, "pod/web-1", as a link if its kind is served. */
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

/** Place is the namespace or node of an object, as a link. */
function Place({ resource, name }: { resource: string; name: string }) {
  if (name === '' || name === '<none>') return <span class="faint">{name}</span>
  return (
    <a class="faint" href={objectHref(resource, undefined, name)} tabIndex={-1}>
      {name}
    </a>
  )
}

/** Chip is a status in the server's words, in the colour of its state. */
function Chip({ text, row, columns, resource }: RowProps & { text: string }) {
  const state = useRowState(row, columns, resource)
  return <span class={state && text !== '' ? `chip ${state}` : ''}>{text}</span>
}

/** useRowState returns the state of a row's object; undefined for kinds without states. */
function useRowState(row: Row, columns: RowProps['columns'], resource: Resource): State | undefined {
  const failing = isFailing(useContext(FailingPods), resource.id, row.meta)
  const now = shownNow.value
  const seen = { object: row.object, now, printed: row.printed, failing, standing: standing(row.meta.resourceVersion, now) }
  return stateOf(resource.id, row.meta, (name) => textOf(row.cells[columns.findIndex((c) => c.name === name)] ?? null), seen)
}

/** Mark is the state mark of a row; nothing for kinds without states. */
export function Mark({ row, columns, resource }: RowProps) {
  const state = useRowState(row, columns, resource)
  return state ? <StateMark state={state} /> : null
}
