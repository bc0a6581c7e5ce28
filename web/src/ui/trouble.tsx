import type { Item } from '../api/feed'
import { loggedIn, logOut } from '../api/http'
import { outage } from '../api/link'
import type { Reading } from '../api/use'
import { t } from '../i18n'
import { at, setQuery } from '../route'
import { Unread, unreadOf } from './unread'

/**
 * TroubleProps: `whole` says that the page shows nothing else, so that a user without the right can
 * log out here.
 */
interface TroubleProps {
  readonly of: Pick<Reading<Item>, 'phase' | 'error' | 'remaining'>
  readonly whole?: boolean
}

/** Trouble says why a reading is incomplete, if it is. */
export function Trouble({ of, whole = false }: TroubleProps) {
  if (of.error && of.error.code === 0) return outage.value ? null : <p class="notice">{t('load.loading')}</p>
  if (of.error && of.error.code === 410 && at.value !== null) return <Unread error={of.error} />
  if (of.error && of.error.code === 504 && at.value !== null)
    return (
      <p class="notice warn" role="alert">
        {t('time.future', { at: at.value })}{' '}
        <button type="button" onClick={() => setQuery({ at: '' }, false)}>
          {t('time.back')}
        </button>
      </p>
    )
  if (of.error)
    return (
      <p class="notice bad" role="alert">
        {unreadOf(of.error)}{' '}
        {whole && of.error.code === 403 && loggedIn() && (
          <button type="button" onClick={logOut}>
            {t('login.out')}
          </button>
        )}
      </p>
    )
  if (of.phase === 'loading') return <p class="notice">{of.remaining > 0 ? t('load.remaining', { n: of.remaining }) : t('load.loading')}</p>
  return null
}
