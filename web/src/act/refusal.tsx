import type { ApiError } from '../api/http'
import { t } from '../i18n'

/** Refusal says what the server said against it, in its words, and about which fields. */
export function Refusal({ error }: { error: ApiError | null }) {
  if (!error) return null
  const causes = (error.status.details?.causes ?? []).filter((c) => c.field).slice(0, 50)
  return (
    <div class="notice bad refusal" role="alert">
      {error.code === 0 ? t('act.unreachable') : error.message}
      {error.code === 403 && <p>{t('act.forbidden')}</p>}
      {causes.length > 1 && (
        <ul>
          {causes.map((c) => (
            <li key={`${c.field}${c.message}`}>
              <code>{c.field}</code>: {c.message}
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
