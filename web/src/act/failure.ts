import { ApiError } from '../api/http'
import { outage } from '../api/link'
import { t } from '../i18n'
import { missingRight } from '../ui/forbidden'

/**
 * failureOf says why a request failed: which right is missing, else what the server says, by `refused`. Nobody knows whether a request that
 * was not answered has changed something; when the server answers again that is said.
 */
export function failureOf(e: unknown, refused: (message: string) => string = (message) => message): string {
  if (e instanceof ApiError && e.code === 0) return t(outage.value === null ? 'act.unsure' : 'act.unreachable')
  const message = e instanceof Error ? e.message : String(e)
  const right = e instanceof ApiError && e.code === 403 ? missingRight(message) : undefined
  return right ?? refused(message)
}
