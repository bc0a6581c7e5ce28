import { t } from '../i18n'
import { setQuery } from '../route'
import './act.css'

/** Past says why nothing can be done, and the way to where it can. */
export function Past() {
  return (
    <p class="reason">
      {t('act.past')}{' '}
      <button type="button" onClick={() => setQuery({ at: '' }, false)}>
        {t('act.now')}
      </button>
    </p>
  )
}
