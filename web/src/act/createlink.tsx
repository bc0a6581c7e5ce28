import { useEffect } from 'preact/hooks'
import { outage } from '../api/link'
import { resources } from '../api/resource'
import { t } from '../i18n'
import { at, go, href } from '../route'
import { namespaceShown } from '../shell/namespace'
import { Icon } from '../ui/icon'
import { useKeys } from '../ui/keys'
import { type Access, accessTo, askAccess, may } from './may'
import './act.css'

/** common lists rights; every user who creates objects has at least one of them. */
const common = (ns: string): Access[] =>
  ['deployments.apps', 'pods', 'configmaps'].flatMap((id) => {
    const r = resources.value.get(id)
    return r ? [accessTo('create', r, r.namespaced ? ns : undefined)] : []
  })

/** CreateLink links to the page that creates objects, in the namespace that is shown. */
export function CreateLink() {
  const ns = namespaceShown()
  const to = { page: 'other' as const, name: 'new', query: ns === '' ? {} : { ns } }
  useKeys([{ keys: ['c'], label: t('write.key'), run: () => go(to) }])
  useEffect(() => {
    if (at.value === null && outage.value === null) void askAccess(common(ns))
  }, [ns, at.value === null, outage.value === null, resources.value])
  if (common(ns).every((a) => may([a]) === false)) return null
  return (
    <a class="button" href={href(to)} title={`${t('write.create')} (c)`} aria-label={t('write.create')}>
      <Icon of="plus" />
      <span class="create-word"> {t('write.new')}</span>
    </a>
  )
}
