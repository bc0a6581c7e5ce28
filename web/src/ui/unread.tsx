import { ApiError } from '../api/http'
import { t } from '../i18n'
import { forbidden } from './forbidden'

/**
 * unreadOf says in the user's language why something could not be read; '' during an outage, which
 * the banner reports.
 */
export function unreadOf(e: unknown): string {
  const code = e instanceof ApiError ? e.code : undefined
  if (code === 0) return ''
  if (code === 410) return t('time.expiredShort')
  const message = e instanceof Error ? e.message : String(e)
  return code === 403 ? forbidden(message) : t('load.refused', { message })
}

/** Unread says why something could not be read, in its place. */
export function Unread({ error }: { error: unknown }) {
  const text = error ? unreadOf(error) : ''
  if (text === '') return null
  return (
    <p class="notice warn" role="alert">
      {text}
    </p>
  )
}
