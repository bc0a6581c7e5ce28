/** Level is the severity of a line; '' if it has none. */
export type Level = 'error' | 'warn' | 'info' | 'debug' | ''

const words: Readonly<Record<string, Level>> = {
  fatal: 'error',
  panic: 'error',
  critical: 'error',
  crit: 'error',
  emerg: 'error',
  alert: 'error',
  error: 'error',
  err: 'error',
  warning: 'warn',
  warn: 'warn',
  notice: 'info',
  info: 'info',
  debug: 'debug',
  trace: 'debug',
}

/**
 * letters are the first letters of klog and glog lines. Source: k8s.io/klog/v2, the format of its
 * header
 */
const letters: Readonly<Record<string, Level>> = { F: 'error', E: 'error', W: 'warn', I: 'info' }

const field = /\b(?:level|severity|lvl)"?\s*[=:]\s*"?([a-z]+)/i
const klog = /^([FEWI])\d{4} \d\d:\d\d:\d\d/
/** bare matches a level in capitals that stands alone, in brackets, or before a colon. */
const bare = /(?:^|[\s[|<])(FATAL|PANIC|CRITICAL|ERROR|WARNING|WARN|NOTICE|INFO|DEBUG|TRACE)(?=[\s\]|>:]|$)/
const bracketed = /\[(fatal|crit|alert|emerg|error|err|warning|warn|notice|info|debug|trace)\]/
const begins = /^(panic|fatal|error|warning|warn|info|debug):/i

/**
 * looked is how many characters of a line are searched for a level; later ones are part of the
 * text.
 */
const looked = 200

/** levelOf finds the level of a line in common formats: structured, klog, nginx, and capitals. */
export function levelOf(text: string): Level {
  const head = text.slice(0, looked)
  const letter = klog.exec(head)
  if (letter) return letters[letter[1] ?? ''] ?? ''
  const word = (field.exec(head) ?? bracketed.exec(head) ?? bare.exec(head) ?? begins.exec(head))?.[1]
  return word === undefined ? '' : (words[word.toLowerCase()] ?? '')
}

/** Least is the lowest level that is shown; '' shows all. */
export type Least = '' | 'warn' | 'error'

/** graveEnough reports whether a line is shown. */
export const graveEnough = (level: Level, least: Least): boolean => least === '' || level === 'error' || level === least
