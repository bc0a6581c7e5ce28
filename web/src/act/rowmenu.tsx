import { useEffect, useRef, useState } from 'preact/hooks'
import type { Row } from '../api/form'
import type { KubeObject } from '../api/object'
import { readJSON } from '../api/read'
import { objectPath, type Resource } from '../api/resource'
import { t } from '../i18n'
import { at, objectHref } from '../route'
import { stepThrough } from '../ui/menu'
import { refused } from './action'
import { Entries } from './menu'
import { Past } from './past'

/**
 * RowMenuAt is the position of the button that opened a row's menu, in window pixels. The menu
 * opens below it, or above it in the lower half of the window.
 */
export interface RowMenuAt {
  readonly right: number
  readonly top: number
  readonly bottom: number
}

/** withLog lists the kinds whose objects have a page of logs. */
export const withLog: readonly string[] = [
  'pods',
  'deployments.apps',
  'replicasets.apps',
  'statefulsets.apps',
  'daemonsets.apps',
  'jobs.batch',
]

/** readRow reads the object of a row. */
export const readRow = (r: Resource, { meta }: Row, signal?: AbortSignal): Promise<KubeObject> =>
  readJSON<KubeObject>(objectPath(r, meta.namespace ?? '', meta.name), {
    query: { omitManagedFields: true },
    ...(signal ? { signal } : {}),
  })

/** heightOf returns where the menu begins or ends: on the side with more room. */
const heightOf = ({ top, bottom }: RowMenuAt) => (bottom < innerHeight / 2 ? { top: `${bottom}px` } : { bottom: `${innerHeight - top}px` })

/**
 * RowMenu is the menu of a row: its pages with their keys, and the actions that apply to the
 * object, which is read when the menu opens.
 */
export function RowMenu({ resource, row, place, close }: { resource: Resource; row: Row; place: RowMenuAt; close: () => void }) {
  const [object, setObject] = useState<KubeObject>()
  const ref = useRef<HTMLElement>(null)
  useEffect(() => {
    const el = ref.current
    el?.showPopover()
    el?.querySelector('a')?.focus()
    if (at.peek() !== null) return
    const stop = new AbortController()
    readRow(resource, row, stop.signal).then(setObject, (e: unknown) => stop.signal.aborted || refused(row.meta.name, e))
    return () => stop.abort()
  }, [])
  const pages = [
    { key: 'd', tab: 'summary', text: t('tab.summary') },
    { key: 'y', tab: 'yaml', text: t('tab.yaml') },
    ...(withLog.includes(resource.id) ? [{ key: 'l', tab: 'log', text: t('bulk.keys.log') }] : []),
    ...(resource.id === 'pods' ? [{ key: 's', tab: 'terminal', text: t('tab.terminal') }] : []),
  ]
  return (
    <section
      ref={ref}
      popover="auto"
      class="menu-body actions row-menu"
      aria-label={t('bulk.menu', { name: row.meta.name })}
      style={{ ...heightOf(place), right: `${innerWidth - place.right}px` }}
      onToggle={(e) => e.newState === 'closed' && close()}
      onKeyDown={stepThrough}
      onClick={(e) => {
        if (e.target instanceof Element && e.target.closest('a, button:enabled')) ref.current?.hidePopover()
      }}
    >
      <ul>
        {pages.map((p) => (
          <li key={p.tab}>
            <a href={objectHref(resource.id, row.meta.namespace, row.meta.name, p.tab)}>
              {p.text} <kbd>{p.key}</kbd>
            </a>
          </li>
        ))}
      </ul>
      {at.value !== null ? <Past /> : object ? <Entries resource={resource} object={object} /> : <p class="reason">{t('load.loading')}</p>}
    </section>
  )
}
