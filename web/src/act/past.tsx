import { t } from '../i18n'
import { setQuery } from '../route'
import './act.css'

/** Past says that the past cannot be changed, with a link to the present. */
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
