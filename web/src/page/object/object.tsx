import { Going } from '../../act/going'
import { draftKey, drafts } from '../../act/kept'
import { resources } from '../../api/resource'
import { useObject } from '../../api/use'
import { t } from '../../i18n'
import { at, objectHref, route } from '../../route'
import { onObject } from '../../shell/slots'
import { type Loader, Slot, useLoaded } from '../../ui/slot'
import { Trouble } from '../../ui/trouble'
import type { GoneProps } from './gone'
import type { TabProps } from './tabprops'
import { tabs } from './tabs'

/** ObjectPage shows an object in one of the tabs for its kind. */
export function ObjectPage() {
  const r = route.value
  const { resource: id, namespace, name, tab: asked } = r.page === 'object' ? r : { resource: '', namespace: '', name: '', tab: '' }
  const resource = resources.value.get(id)
  const read = useObject(resource, namespace, name)
  const { object } = read
  const fitting = resource ? tabs.filter((tab) => tab.fits(resource)) : []
  const tab = fitting.find((one) => one.id === asked) ?? fitting[0]
  const View = useLoaded(tab?.load ?? nothing)
  if (!resource) {
    return (
      <>
        <h1>{id}</h1>
        <p class="notice bad" role="alert">
          {t('load.unknownKind', { name: id })}
        </p>
      </>
    )
  }
  const unsaved = drafts.count.value > 0 && drafts.of(draftKey(id, namespace, name)) !== undefined
  const there = read.phase === 'live' || read.phase === 'past'
  return (
    <>
      <div class="page-head">
        <h1>
          <small>{resource.kind}</small> {namespace !== '' && <span class="of">{namespace}/</span>}
          {name}
        </h1>
        <div class="page-actions">
          {object && onObject.map((part, i) => <Slot key={i} of={part} resource={resource} object={object} />)}
        </div>
      </div>
      {object && <Going object={object} />}
      <nav class="tabs" aria-label={resource.kind}>
        {fitting.map((one) => (
          <a key={one.id} href={objectHref(id, namespace, name, one.id)} aria-current={one === tab ? 'page' : undefined}>
            {t(one.title)}{' '}
            {one.id === 'edit' && unsaved && (
              <span class="unsaved" role="img" title={t('draft.unsaved')} aria-label={t('draft.unsaved')}>
                ●
              </span>
            )}
          </a>
        ))}
      </nav>
      <Trouble of={read} whole />
      {there && !object && at.value !== null && <p class="notice">{t('load.missingThen')}</p>}
      {there && !object && at.value === null && <Slot of={gone} resource={resource} namespace={namespace} name={name} />}
      {object && View && <View resource={resource} object={object} />}
      {object && View && tab === fitting[0] && tab?.id !== 'summary' && <Slot of={footer} resource={resource} object={object} />}
    </>
  )
}

/** footer is shown below the first tab of a kind that does not open with its summary. */
const footer: Loader<TabProps> = () => import('./footer').then((m) => m.Footer)

const gone: Loader<GoneProps> = () => import('./gone').then((m) => m.Gone)

const nothing = async () => () => null
