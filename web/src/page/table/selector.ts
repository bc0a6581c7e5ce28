const name = `(?:[A-Za-z0-9]|[A-Za-z0-9][-_.A-Za-z0-9]*[A-Za-z0-9])`
const key = `(?:[a-z0-9](?:[-.a-z0-9]*[a-z0-9])?/)?${name}`
const value = `(?:${name})?`
const requirement = new RegExp(
  String.raw`^\s*(?:!\s*${key}|${key}(?:\s*(?:=|==|!=)\s*${value}|\s*[<>]\s*-?\d+|\s+(?:in|notin)\s*\(\s*${value}(?:\s*,\s*${value})*\s*\))?)\s*$`,
)

/** longest is how many characters a selector may have here. */
const longest = 2000

/**
 * badLabel finds the part of a label selector that is invalid, or null. The server judges again.
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

/** parts cuts a selector at its commas, but not at those within parentheses. */
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

/** refused says which of the two selectors a refusal of the server's is about. */
export function refused(message: string, labels: string, fields: string): 'labels' | 'fields' | null {
  if (labels === '' && fields === '') return null
  if (labels === '') return 'fields'
  if (fields === '') return 'labels'
  return /field/i.test(message) ? 'fields' : 'labels'
}
