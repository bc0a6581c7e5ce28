import { ApiError } from '../api/http'
import { outage } from '../api/link'
import { t } from '../i18n'
import { missingRight } from '../ui/forbidden'

/**
 * failureOf returns why a request failed: the missing right, or the server's error, formatted by
 * `refused`. For a request without an answer it is unknown whether it took effect; the text says
 * so.
 */
export function failureOf(e: unknown, refused: (message: string) => string = (message) => message): string {
  if (e instanceof ApiError && e.code === 0) return t(outage.value === null ? 'act.unsure' : 'act.unreachable')
  const message = e instanceof Error ? e.message : String(e)
  const right = e instanceof ApiError && e.code === 403 ? missingRight(message) : undefined
  return right ?? refused(message)
}
