import { controllerOf } from '../../api/object'
import { resourceOfKind } from '../../api/resource'
import { t } from '../../i18n'
import { objectHref } from '../../route'
import { Age } from '../../ui/age'
import type { TabProps } from './tabs'

/** Summary is what all kinds have in common. */
export function Summary({ object }: TabProps) {
  const m = object.metadata
  const owner = controllerOf(m)
  const ownerKind = owner && resourceOfKind(owner.apiVersion, owner.kind)
  return (
    <dl class="facts">
      <dt>{t('field.age')}</dt>
      <dd>
        <Age since={m.creationTimestamp} />
      </dd>
      {m.deletionTimestamp && (
        <>
          <dt>{t('field.deleting')}</dt>
          <dd>
            <Age since={m.deletionTimestamp} />
          </dd>
        </>
      )}
      {owner && (
        <>
          <dt>{t('field.owner')}</dt>
          <dd>
            {owner.kind} {ownerKind ? <a href={objectHref(ownerKind.id, m.namespace, owner.name)}>{owner.name}</a> : owner.name}
          </dd>
        </>
      )}
      <Pairs title={t('field.labels')} of={m.labels} />
      <Pairs title={t('field.annotations')} of={m.annotations} />
    </dl>
  )
}

function Pairs({ title, of }: { title: string; of: Readonly<Record<string, string>> | undefined }) {
  const all = Object.entries(of ?? {})
  if (all.length === 0) return null
  return (
    <>
      <dt>{title}</dt>
      <dd>
        <ul class="pairs">
          {all.map(([key, value]) => (
            <li key={key}>
              <b>{key}</b>={value}
            </li>
          ))}
        </ul>
      </dd>
    </>
  )
}
