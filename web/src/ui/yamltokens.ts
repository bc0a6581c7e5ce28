/*
 * YAML in colours, for manifests that are only read: by lines, without a parser. Text that it does not understand stays as it is.
 */

/** Token is a piece of a line; '' is plain text. */
export interface Token {
  readonly kind: 'key' | 'text' | 'value' | 'comment' | 'sign' | ''
  readonly text: string
}

/** mostLines is how many lines are highlighted; the rest is plain. */
const mostLines = 5_000

/** scalar matches values that are not text: numbers, booleans, null, and empty collections. */
const scalar = /^(?:[-+]?(?:\d[\d_]*(?:\.\d*)?(?:[eE][-+]?\d+)?|0[xo][\da-fA-F]+|\.\w+)|true|false|null|~|\{\}|\[\])$/

/** before matches the spaces and dashes at the start of a line. */
const before = /^\s*(?:-(?: +|$))*/

/**
 * quoted returns the end of the quoted text that starts at an offset; -1 if it does not end on the
 * line.
 */
function quoted(line: string, from: number): number {
  const quote = line[from]
  for (let i = from + 1; i < line.length; i++) {
    if (line[i] === '\\' && quote === '"') i++
    else if (line[i] === quote) {
      if (quote === "'" && line[i + 1] === quote) i++
      else return i + 1
    }
  }
  return -1
}

const isSpace = (c: string | undefined): boolean => c === ' ' || c === '\t'

/** keyEnd returns the end of the key at the start of a text, or -1 if it has no key. */
function keyEnd(text: string): number {
  const end = text[0] === '"' || text[0] === "'" ? quoted(text, 0) : /^[#&*!|>%@`{[,\]}]/.test(text) ? -1 : 0
  if (end < 0) return -1
  for (let i = end; i < text.length; i++) {
    if (text[i] === ':' && (i + 1 === text.length || isSpace(text[i + 1]))) return i
    if (end > 0 || (text[i] === '#' && isSpace(text[i - 1]))) return -1 // after quotes, the colon follows
  }
  return -1
}

/**
 * noteAt returns where a comment starts: after a space, outside of quotes; the length of the text
 * if there is none.
 */
function noteAt(text: string): number {
  let blank = true // whether only blanks have come so far, so that a quote starts a quoted text
  for (let i = 0; i < text.length; i++) {
    if (text[i] === '#' && (i === 0 || isSpace(text[i - 1]))) return i
    if (blank && (text[i] === '"' || text[i] === "'")) {
      const end = quoted(text, i)
      if (end > 0) i = end - 1
    }
    blank &&= isSpace(text[i])
  }
  return text.length
}

/** block matches the start of a block scalar, which continues while lines are indented more. */
const block = /^\s*[|>][-+]?\d?[-+]?\s*(?:#.*)?$/

/** tokensOf returns the tokens of each line; joined, they are the text. */
export function tokensOf(text: string): Token[][] {
  let within = -1 // the indentation of the key of a block scalar
  return text.split('\n').map((line, i) => {
    if (i >= mostLines) return [{ kind: '', text: line }]
    const indent = line.search(/\S/)
    if (within >= 0 && (indent < 0 || indent > within)) return [{ kind: 'text', text: line }]
    within = -1
    if (/^(---|\.\.\.)(\s|$)/.test(line)) return [{ kind: 'sign', text: line }]
    const out: Token[] = []
    const head = before.exec(line)?.[0] ?? ''
    if (head !== '') out.push({ kind: head.trim() === '' ? '' : 'sign', text: head })
    let rest = line.slice(head.length)
    const end = keyEnd(rest)
    if (end >= 0) {
      out.push({ kind: 'key', text: rest.slice(0, end) }, { kind: 'sign', text: ':' })
      rest = rest.slice(end + 1)
    }
    const begins = block.test(rest)
    if (begins) within = end >= 0 ? head.length : Math.max(0, indent)
    return [...out, ...(begins ? [{ kind: 'sign' as const, text: rest }] : valueTokens(rest))]
  })
}

function valueTokens(text: string): Token[] {
  const at = noteAt(text)
  const value = text.slice(0, at)
  const bare = value.trim()
  const kind = bare === '' ? '' : scalar.test(bare) ? 'value' : 'text'
  return [
    ...(value === '' ? [] : [{ kind, text: value } as const]),
    ...(at < text.length ? [{ kind: 'comment', text: text.slice(at) } as const] : []),
  ]
}
