import type { ApiError } from '../api/http'
import { failureOf } from './failure'

/** Refusal shows the server's error, with the fields that it is about. */
export function Refusal({ error }: { error: ApiError | null }) {
  if (!error) return null
  const causes = (error.status.details?.causes ?? []).filter((c) => c.field).slice(0, 50)
  return (
    <div class="notice bad refusal" role="alert">
      {failureOf(error)}
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
