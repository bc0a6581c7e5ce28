const name = `(?:[A-Za-z0-9]|[A-Za-z0-9][-_.A-Za-z0-9]*[A-Za-z0-9])`
const key = `(?:[a-z0-9](?:[-.a-z0-9]*[a-z0-9])?/)?${name}`
const value = `(?:${name})?`
const requirement = new RegExp(
  String.raw`^\s*(?:!\s*${key}|${key}(?:\s*(?:=|==|!=)\s*${value}|\s*[<>]\s*-?\d+|\s+(?:in|notin)\s*\(\s*${value}(?:\s*,\s*${value})*\s*\))?)\s*$`,
)

/** longest is the maximum length of a selector, in characters. */
const longest = 2000

/**
 * badLabel finds the part of a label selector that is invalid, or null. The server validates it
 * again.
 *
 * Source: https://kubernetes.io/docs/concepts/overview/working-with-objects/labels/#label-selectors
 */
export function badLabel(selector: string): string | null {
  if (selector.trim() === '') return null
  if (selector.length > longest) return `${selector.slice(0, 20)}…`
  return parts(selector).find((p) => !requirement.test(p)) ?? null
}

/** badField finds the part of a field selector that is invalid, or null: metadata.name=web, spec.nodeName!=node-1. */
export function badField(selector: string): string | null {
  if (selector.trim() === '') return null
  if (selector.length > longest) return `${selector.slice(0, 20)}…`
  return selector.split(/(?<!\\),/).find((p) => !/^\s*[A-Za-z][\w.[\]/-]*\s*(=|==|!=)/.test(p)) ?? null
}

/** parts splits a selector at its commas, except those in parentheses. */
function parts(selector: string): string[] {
  const out = ['']
  let depth = 0
  for (const c of selector) {
    depth += c === '(' ? 1 : c === ')' ? -1 : 0
    if (c === ',' && depth === 0) out.push('')
    else out[out.length - 1] += c
  }
  return out
}

/** refused returns which of the two selectors an error of the server is about. */
export function refused(message: string, labels: string, fields: string): 'labels' | 'fields' | null {
  if (labels === '' && fields === '') return null
  if (labels === '') return 'fields'
  if (fields === '') return 'labels'
  return /field/i.test(message) ? 'fields' : 'labels'
}
