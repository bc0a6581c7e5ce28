import { t } from '../../i18n'
import { Bar, Part } from './parts'
import { usesOf } from './quota'
import type { TabProps } from './tabprops'

/** QuotaView is a ResourceQuota's page: how much of each limit is used. */
export function QuotaView({ object }: TabProps) {
  const all = usesOf(object)
  const { scopes = [] } = (object.spec as { scopes?: readonly string[] } | undefined) ?? {}
  return (
    <Part title={t('object.quota')} wide>
      {all.length === 0 && <p class="faint">{t('object.none')}</p>}
      <ul class="uses">
        {all.map((u) => {
          const text = t('object.usedOf', { used: u.used, hard: u.hard })
          return (
            <li key={u.resource}>
              <b>{u.resource}</b>
              <Bar share={u.share} full={u.full} label={`${u.resource}: ${text}`} />
              <span>{text}</span>
            </li>
          )
        })}
      </ul>
      {scopes.length > 0 && <p class="faint">{scopes.join(', ')}</p>}
    </Part>
  )
}
