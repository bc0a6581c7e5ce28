import { useEffect, useRef, useState } from 'preact/hooks'
import type { Row } from '../../api/form'
import type { ApiError } from '../../api/http'
import type { KubeObject } from '../../api/object'
import { resources } from '../../api/resource'
import { useTable } from '../../api/use'
import { type Deployment, formatSelector } from '../../api/workload'
import { type Places, placesOf } from '../../verdict/row'
import type { Form } from './change'
import { Reader } from './reader'

/** PodRows are the Pods of a Deployment as rows; places is null until they have arrived. */
export interface PodRows {
  readonly rows: ReadonlyMap<string, Row>
  readonly places: Places | null
}

/** usePodRows reads the Pods that a Deployment's selector matches. */
export function usePodRows(d: Deployment): PodRows {
  const resource = resources.value.get('pods')
  const read = useTable(resource ? { resource, namespace: d.metadata.namespace, labels: formatSelector(d.spec.selector) } : null)
  return { rows: read.items, places: placesOf(read.columns) }
}

/** Past is what the log contains about some objects. */
export interface Past<S> {
  readonly samples: readonly S[]
  /** Objects whose log has been read, whether or not it has entries for them. */
  readonly read: ReadonlySet<string>
  readonly loading: boolean
  readonly error: ApiError | null
}

/**
 * usePast reads the history of objects from the log, once when they appear and again when one of
 * them changes: the watch reports the change, and the log has its time and what came between.
 */
export function usePast<S extends { readonly revision: number }>(
  form: Form<S>,
  resourceOf: (o: KubeObject) => string,
  objects: readonly KubeObject[],
  moment: number | null,
): Past<S> {
  const reader = useRef<Reader<S> | null>(null)
  const [, redraw] = useState(0)
  if (reader.current?.moment !== moment) {
    reader.current?.stop()
    reader.current = new Reader(form, moment, () => redraw((n) => n + 1))
  }
  const now = reader.current
  const versions = objects.map((o) => `${o.metadata.uid}@${o.metadata.resourceVersion}`).join()
  useEffect(
    () => now?.want(objects.map((o) => ({ uid: o.metadata.uid, version: Number(o.metadata.resourceVersion), resource: resourceOf(o) }))),
    [now, versions],
  )
  useEffect(
    () => () => {
      reader.current?.stop()
      reader.current = null
    },
    [],
  )
  return { samples: now?.samples ?? [], read: now?.done ?? new Set(), loading: now?.loading ?? true, error: now?.error ?? null }
}
