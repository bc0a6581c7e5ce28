import type { Status } from '../api/http'
import type { Manifest, Problem } from './manifest'
import { placeOf } from './place'

/** The maximum number of the server's problems shown for one object. */
const most = 100

/** problemsOf locates the server's errors about an object in the text. */
export function problemsOf(m: Manifest, status: Status): Problem[] {
  const causes = (status.details?.causes ?? []).filter((c) => c.field !== undefined && c.field !== '')
  if (causes.length > 0) return causes.slice(0, most).map((c) => at(m, c.message ?? c.reason ?? '', c.field ?? ''))
  const message = status.message ?? ''
  const fields = [...fieldsIn(message)].slice(0, most)
  if (fields.length > 0) return fields.map((f) => at(m, f.message, f.field))
  return [at(m, message, '')]
}

/**
 * warningsOf locates the server's warnings in the text, such as `spec.containers[0].env[1]: hides
 * previous definition`.
 */
export function warningsOf(m: Manifest, warnings: readonly string[]): Problem[] {
  return warnings.slice(0, most).map((text) => {
    const [, field = '', message = text] = /^([A-Za-z][\w-]*(?:[.[][^\s:]*)?): (.*)$/s.exec(text) ?? []
    const found = [...fieldsIn(text)][0]
    if (found) return { ...at(m, text, found.field), severity: 'warning' }
    const place = field === '' ? undefined : at(m, message, field)
    return { ...(place ?? at(m, text, '')), severity: 'warning' }
  })
}

/**
 * fieldsIn extracts the fields from decoding errors, which the Status does not list as causes.
 *
 * Source: kubernetes v1.36
 * vendor/sigs.k8s.io/json/internal/golang/encoding/json/kubernetes_patch.go (unknown field,
 * duplicate field) and decode.go (cannot unmarshal … into Go struct field Type.path of type)
 */
export function* fieldsIn(message: string): Generator<{ field: string; message: string }> {
  for (const m of message.matchAll(/(?:unknown|duplicate) field "((?:[^"\\]|\\.)*)"/g)) yield { field: unquote(m[1] ?? ''), message: m[0] }
  const type = /cannot unmarshal .* into Go struct field \w+\.(\S+) of type .*/.exec(message)
  if (type) yield { field: type[1] ?? '', message: type[0] }
}

function unquote(text: string): string {
  return text.replace(/\\(.)/g, '$1')
}

/** at is a problem at a field of an object; '' is the whole object. */
function at(m: Manifest, message: string, field: string): Problem {
  const root = m.document.contents
  const place = placeOf(root, field) ?? placeOf(root, '') ?? m
  return { from: place.from, to: place.to, severity: 'error', message, ...(field === '' ? {} : { field }) }
}

/**
 * parseWarnings reads the texts of Warning headers, which browsers join with commas.
 *
 * Source: https://www.rfc-editor.org/rfc/rfc7234#section-5.5; kubernetes v1.36 apimachinery/pkg/util/net/http.go, ParseWarningHeader
 */
export function parseWarnings(header: string | null): string[] {
  const found = (header ?? '').slice(0, 100_000).matchAll(/\b299 [^ ]+ "((?:[^"\\]|\\.)*)"/g)
  return [...found].map((m) => unquote(m[1] ?? ''))
}
