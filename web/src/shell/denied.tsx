import { useEffect } from 'preact/hooks'
import { loggedIn, logOut } from '../api/http'
import { me, readMe } from '../api/person'
import { t } from '../i18n'

/**
 * Denied is the page for a user who may not even discover the API: who they are, what to do, and
 * how to log out.
 */
export function Denied() {
  useEffect(() => void readMe(), [])
  return (
    <section class="notice bad denied" role="alert">
      <h1>{t('right.none', { name: me.value?.username ?? '…' })}</h1>
      {me.value && me.value.groups.length > 0 && (
        <p>
          {t('login.groups')}: {me.value.groups.join(', ')}
        </p>
      )}
      <p>{t('right.remedy')}</p>
      {loggedIn() && (
        <button type="button" class="primary" onClick={logOut}>
          {t('login.out')}
        </button>
      )}
    </section>
  )
}
