/** Moment is a moment as a user types it: a span ago, a time of day, a revision, or now. */
export type Moment =
  | { readonly by: 'ago'; readonly ms: number }
  | { readonly by: 'time'; readonly hour: number; readonly minute: number; readonly second: number }
  | { readonly by: 'revision'; readonly revision: number }
  | { readonly by: 'now' }

/** units maps the words for units of time, in all languages of the dashboard, to milliseconds. */
const units: readonly (readonly [RegExp, number])[] = [
  [/^(s|secs?|seconds?|segs?|segundos?|秒|秒钟)$/, 1000],
  [/^(m|mins?|minutes?|minutos?|分|分钟)$/, 60_000],
  [/^(h|hrs?|hours?|horas?|時間|小时)$/, 3_600_000],
  [/^(d|days?|días?|dias?|日|天)$/, 86_400_000],
  [/^(w|weeks?|semanas?|週間|周)$/, 7 * 86_400_000],
]

/** around matches the words for "ago" in all languages. */
const around = /^(hace|há|faz)\s+|\s+(ago|atrás)$|(前|之前|以前)$/g

const part = /(\d{1,6})\s*(\p{L}+)\s*/uy

/** parseMoment parses a moment as people write it; null if it is invalid. */
export function parseMoment(text: string): Moment | null {
  const said = text.trim().toLowerCase()
  if (/^(now|ahora|agora|現在|今|现在)$/.test(said)) return { by: 'now' }
  const revision = /^(?:revision|revisión|revisão|リビジョン|修订版本|rev|r|@)?\s*(\d{1,15})$/.exec(said)
  if (revision) return Number(revision[1]) > 0 ? { by: 'revision', revision: Number(revision[1]) } : null
  const time = /^([01]?\d|2[0-3]):([0-5]\d)(?::([0-5]\d))?$/.exec(said)
  if (time) return { by: 'time', hour: Number(time[1]), minute: Number(time[2]), second: Number(time[3] ?? 0) }
  return parseAgo(said.replaceAll(around, '').trim())
}

/** parseAgo parses a duration of one or more parts: "10 minutes", "1h30m". */
function parseAgo(span: string): Moment | null {
  let ms = 0
  part.lastIndex = 0
  let end = 0
  for (let m = part.exec(span); m; m = part.exec(span)) {
    const unit = units.find(([word]) => word.test(m?.[2] ?? ''))
    if (!unit) return null
    ms += Number(m[1]) * unit[1]
    end = part.lastIndex
  }
  return end === span.length && ms > 0 ? { by: 'ago', ms } : null
}

/**
 * timeOfMoment returns the time of a moment, in milliseconds; a time of day means the latest one
 * not after now. Null if it is not a time.
 */
export function timeOfMoment(m: Moment, now: number): number | null {
  if (m.by === 'ago') return now - m.ms
  if (m.by !== 'time') return null
  const day = new Date(now)
  day.setHours(m.hour, m.minute, m.second, 0)
  if (day.getTime() > now) day.setDate(day.getDate() - 1)
  return day.getTime()
}

interface Stop {
  readonly revision: number
  readonly at: number
}

/**
 * steps bounds how many changes are read to find a moment. Each halves the range, so it is enough
 * for any log.
 */
const steps = 24

/**
 * revisionAtTime finds the last revision committed by a time, in milliseconds: by the known stops,
 * and between two of them by bisection. `read` returns when the last change up to a revision was
 * committed. A time before all stops yields the first one.
 */
export async function revisionAtTime(
  stops: readonly Stop[],
  time: number,
  read: (revision: number) => Promise<Stop | undefined>,
): Promise<number | null> {
  const [first] = stops
  if (!first) return null
  let low = first
  let high = stops.at(-1) ?? first
  if (high.at <= time) return high.revision
  for (const s of stops) {
    if (s.at <= time && s.revision > low.revision) low = s
    if (s.at > time && s.revision < high.revision) high = s
  }
  for (let i = 0; i < steps && high.revision - low.revision > 1; i++) {
    const middle = (low.revision + high.revision) >> 1
    const found = await read(middle)
    if (!found) return low.revision
    if (found.at <= time) low = { revision: middle, at: found.at }
    else high = { revision: Math.min(middle, found.revision), at: found.at }
  }
  return low.revision
}
