import { useState } from 'preact/hooks'
import type { Row } from '../api/form'
import type { KubeObject } from '../api/object'
import type { Resource } from '../api/resource'
import { t } from '../i18n'
import { at, go } from '../route'
import { announce } from '../ui/announce'
import { useKeys, willCome } from '../ui/keys'
import { type Loader, Slot } from '../ui/slot'
import { ActButton, hindrance } from './able'
import { type Action, refused, start, type Target } from './action'
import { actions } from './actions'
import { deletion } from './delete'
import type { DeletionProps } from './deletion'
import { accessTo, askAccess } from './may'
import { RowMenu, type RowMenuAt, readRow, withLog } from './rowmenu'
import './act.css'

/**
 * RowToolsProps: `row` is the row with the keyboard focus, `marked` the marked rows; null and empty
 * at first.
 */
export interface RowToolsProps {
  readonly resource: Resource
  readonly row: Row | null
  readonly marked: readonly Row[]
  readonly clear: () => void
  /** Where the row's menu is open; null if it is closed. */
  readonly menu: RowMenuAt | null
  readonly closeMenu: () => void
}

const deletionDialog: Loader<DeletionProps> = () => import('./deletion').then((m) => m.DeletionDialog)
const restartDialog: Loader<DeletionProps> = () => import('./bulkrestart').then((m) => m.BulkRestart)

const restartable = ['deployments.apps', 'statefulsets.apps', 'daemonsets.apps']

/** begin starts an action on the object of a row if it applies and nothing prevents it. */
async function begin(action: Action | undefined, resource: Resource, row: Row): Promise<void> {
  if (!action) return
  const begun = action.dialog ? willCome(true) : () => undefined
  try {
    const unanswered = hindrance()
    if (unanswered !== '') return announce(unanswered)
    const target: Target = { resource, object: await readRow(resource, row) }
    const needs = action.needs(target)
    await askAccess(needs)
    const why = hindrance(needs)
    if (why !== '') announce(why)
    else if (action.fits(target)) await start(action, target)
  } catch (e) {
    refused(t(action.title), e)
  } finally {
    begun()
  }
}

/** RowTools offers actions for the focused row, or for all marked rows. Keys do the same. */
export function RowTools({ resource, row, marked, clear, menu, closeMenu }: RowToolsProps) {
  const [bulk, setBulk] = useState<{ delete: boolean; objects: readonly KubeObject[] } | null>(null)
  const show = (tab: string, fits = true) => {
    if (row && fits) go({ page: 'object', resource: resource.id, namespace: row.meta.namespace ?? '', name: row.meta.name, tab, query: {} })
  }
  const act = (action: Action | undefined) => {
    if (!row) return
    if (at.peek() !== null) announce(t('act.past'))
    else void begin(action, resource, row)
  }
  const open = (remove: boolean) => setBulk({ delete: remove, objects: marked.map((r) => r.object ?? { metadata: r.meta }) })
  const needs = (verb: string) => [...new Set(marked.map((r) => r.meta.namespace))].slice(0, 20).map((ns) => accessTo(verb, resource, ns))
  const canDelete = resource.verbs.includes('delete')
  const erase = () => {
    if (marked.length === 0) act(deletion)
    else if (canDelete && hindrance(needs('delete')) === '') open(true)
  }
  useKeys([
    { keys: ['l'], label: t('bulk.keys.log'), run: () => show('log', withLog.includes(resource.id)) },
    { keys: ['e'], label: t('act.edit'), run: () => show('edit', resource.verbs.includes('update')) },
    { keys: ['d'], label: t('tab.summary'), run: () => show('summary') },
    { keys: ['y'], label: t('tab.yaml'), run: () => show('yaml') },
    {
      keys: ['s'],
      label: t('bulk.keys.shell'),
      run: () => (resource.id === 'pods' ? show('terminal') : act(actions.find((a) => a.id === 'scale'))),
    },
    { keys: ['Delete'], label: t('act.delete'), run: erase },
  ])
  const close = () => {
    setBulk(null)
    clear()
  }
  return (
    <>
      {marked.length > 0 && (
        <fieldset class="bulk">
          <legend class="unseen">{t('bulk.marked', { n: marked.length })}</legend>
          <span aria-hidden="true">{t('bulk.marked', { n: marked.length })}</span>
          {canDelete && (
            <ActButton kind="danger" needs={needs('delete')} dialog run={() => open(true)}>
              {t('act.delete')}…
            </ActButton>
          )}
          {restartable.includes(resource.id) && (
            <ActButton needs={needs('patch')} dialog run={() => open(false)}>
              {t('rollout.restart')}…
            </ActButton>
          )}
          <button type="button" onClick={clear}>
            {t('bulk.clear')}
          </button>
        </fieldset>
      )}
      {menu && row && <RowMenu key={row.meta.uid} resource={resource} row={row} place={menu} close={closeMenu} />}
      {bulk && <Slot of={bulk.delete ? deletionDialog : restartDialog} dialog resource={resource} objects={bulk.objects} close={close} />}
    </>
  )
}
