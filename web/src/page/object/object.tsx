import { Going } from '../../act/going'
import { resources } from '../../api/resource'
import { useObject } from '../../api/use'
import { t } from '../../i18n'
import { at, objectHref, route } from '../../route'
import { onObject } from '../../shell/slots'
import { Slot, useLoaded } from '../../ui/slot'
import { Trouble } from '../../ui/trouble'
import { tabs } from './tabs'

/** ObjectPage shows one object, in one of the ways that fit its kind. */
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
            {t(one.title)}
          </a>
        ))}
      </nav>
      <Trouble of={read} />
      {there && !object && <p class="notice">{t(at.value === null ? 'load.missing' : 'load.missingThen')}</p>}
      {object && View && <View resource={resource} object={object} />}
    </>
  )
}

const nothing = async () => () => null
