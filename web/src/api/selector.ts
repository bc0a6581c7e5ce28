import type { KubeObject } from './object'

/** Selector selects objects by their labels. */
export interface Selector {
  readonly matchLabels?: Readonly<Record<string, string>>
  readonly matchExpressions?: readonly { readonly key: string; readonly operator: string; readonly values?: readonly string[] }[]
}

/**
 * selectorOf returns the selector of a workload. ReplicationControllers and Services have plain
 * labels instead.
 */
export function selectorOf(o: KubeObject): Selector {
  const selector = (o.spec as { selector?: Selector | Record<string, string> } | undefined)?.selector ?? {}
  const plain = Object.values(selector).every((v) => typeof v === 'string')
  return plain ? { matchLabels: selector as Record<string, string> } : (selector as Selector)
}

/**
 * selects reports whether a selector selects an object with these labels. An unknown operator
 * selects nothing.
 *
 * Source: kubernetes v1.36 staging/src/k8s.io/apimachinery/pkg/labels/selector.go,
 * Requirement.Matches
 */
export function selects(s: Selector, labels: Readonly<Record<string, string>> = {}): boolean {
  const has = (key: string) => Object.hasOwn(labels, key)
  const plain = Object.entries(s.matchLabels ?? {}).every(([key, value]) => has(key) && labels[key] === value)
  return (
    plain &&
    (s.matchExpressions ?? []).every(({ key, operator, values = [] }) => {
      switch (operator) {
        case 'In':
          return has(key) && values.includes(labels[key] ?? '')
        case 'NotIn':
          return !has(key) || !values.includes(labels[key] ?? '')
        case 'Exists':
          return has(key)
        case 'DoesNotExist':
          return !has(key)
      }
      return false
    })
  )
}

/** selectorText formats a selector for a query. */
export function selectorText(s: Selector): string {
  const plain = Object.entries(s.matchLabels ?? {}).map(([key, value]) => `${key}=${value}`)
  const others = (s.matchExpressions ?? []).map(({ key, operator, values = [] }) => {
    const list = `(${values.join(',')})`
    const texts: Readonly<Record<string, string>> = {
      In: `${key} in ${list}`,
      NotIn: `${key} notin ${list}`,
      Exists: key,
      DoesNotExist: `!${key}`,
    }
    return texts[operator] ?? key
  })
  return [...plain, ...others].join(',')
}

/**
 * parseSelector parses a selector of a query, the reverse of selectorText; undefined if it is
 * invalid.
 */
export function parseSelector(text: string): Selector | undefined {
  const labels: Record<string, string> = {}
  const expressions: { key: string; operator: string; values?: string[] }[] = []
  for (const part of text.split(/,(?![^(]*\))/)) {
    const m = /^\s*(!?)\s*([^\s!=(),]+)\s*(?:(==?|!=)\s*([^\s!=(),]*)|\s(in|notin)\s*\(([^()]*)\))?\s*$/.exec(part)
    if (!m) return undefined
    const [, not, key = '', sign, value = '', among, list = ''] = m
    if (not && (sign || among)) return undefined
    if (among) expressions.push({ key, operator: among === 'in' ? 'In' : 'NotIn', values: list.split(',').map((v) => v.trim()) })
    else if (sign === '!=') expressions.push({ key, operator: 'NotIn', values: [value] })
    else if (sign) labels[key] = value
    else expressions.push({ key, operator: not ? 'DoesNotExist' : 'Exists' })
  }
  return { matchLabels: labels, matchExpressions: expressions }
}
