import { t } from '../i18n'
import { go, href } from '../route'
import { namespaceShown } from '../shell/namespace'
import { useKeys } from '../ui/keys'
import './act.css'

/** CreateLink leads to where objects are made, for the namespace that is shown. */
export function CreateLink() {
  const ns = namespaceShown()
  const to = { page: 'other' as const, name: 'new', query: ns === '' ? {} : { ns } }
  useKeys([{ keys: ['c'], label: t('write.key'), run: () => go(to) }])
  return (
    <a class="button" href={href(to)} title={`${t('write.create')} (c)`} aria-label={t('write.create')}>
      +<span class="create-word"> {t('write.new')}</span>
    </a>
  )
}
