import { useId, useState } from 'preact/hooks'
import { forgetAccess } from '../act/may'
import { logIn } from '../api/http'
import { type Known, me, whose } from '../api/person'
import { t } from '../i18n'
import { Dialog } from '../ui/dialog'

/** Login asks for a token, and stores it when the server accepts it. It stays open until then. */
export function Login() {
  const [token, setToken] = useState('')
  const [answer, setAnswer] = useState<Known | 'asked' | null>(null)
  const id = useId()
  const submit = async (e: Event) => {
    e.preventDefault()
    const shown = token.trim()
    if (shown === '') return
    setAnswer('asked')
    const found = await whose(shown)
    setAnswer(found)
    if (typeof found === 'string') return
    me.value = found
    forgetAccess()
    logIn(shown)
  }
  return (
    <Dialog title={t('login.title')}>
      <form class="login" onSubmit={(e) => void submit(e)}>
        <p>{t('login.about')}</p>
        <label class="field" for={id}>
          {t('login.token')}
          <input
            id={id}
            type="password"
            autocomplete="off"
            value={token}
            aria-invalid={answer === 'wrong'}
            onInput={(e) => {
              setToken(e.currentTarget.value)
              setAnswer(null)
            }}
          />
        </label>
        {answer === 'asked' && <p role="status">{t('login.checking')}</p>}
        {(answer === 'wrong' || answer === 'unreachable') && (
          <p class="notice bad" role="alert">
            {t(answer === 'wrong' ? 'login.wrong' : 'load.failed')}
          </p>
        )}
        <div class="row end">
          <button type="submit" class="primary" disabled={answer === 'asked'}>
            {t('login.submit')}
          </button>
        </div>
      </form>
    </Dialog>
  )
}
