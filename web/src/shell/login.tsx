import { useId, useState } from 'preact/hooks'
import { logIn } from '../api/http'
import { t } from '../i18n'
import { Dialog } from '../ui/dialog'

/** Login asks for a token. */
export function Login() {
  const [token, setToken] = useState('')
  const id = useId()
  return (
    <Dialog title={t('login.title')} close={() => undefined}>
      <form
        onSubmit={(e) => {
          e.preventDefault()
          if (token.trim() !== '') logIn(token.trim())
        }}
      >
        <p>{t('login.about')}</p>
        <label for={id}>{t('login.token')}</label>
        <input id={id} type="password" autocomplete="off" value={token} onInput={(e) => setToken(e.currentTarget.value)} />
        <button type="submit" class="primary">
          {t('login.submit')}
        </button>
      </form>
    </Dialog>
  )
}
