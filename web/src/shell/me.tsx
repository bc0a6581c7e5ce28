import { loggedIn, logOut } from '../api/http'
import { me } from '../api/person'
import { t } from '../i18n'

/** viewers may read but not change objects. Source: api/auth, Viewers */
const viewers = 'rowlock:viewers'

/** Me shows the user and lets them log out. */
export function Me() {
  const person = me.value
  return (
    <>
      {person && (
        <p class="me">
          {t('login.as')} <b>{person.username}</b>
          <br />
          <small>
            {t('login.groups')}: {person.groups.join(', ')}
          </small>
          {person.groups.includes(viewers) && (
            <>
              <br />
              <small>{t('login.viewer')}</small>
            </>
          )}
        </p>
      )}
      {loggedIn() && (
        <button type="button" onClick={logOut}>
          {t('login.out')}
        </button>
      )}
    </>
  )
}
