/** Measure is a Pod's usage at a time: CPU in cores, memory in bytes, the time in milliseconds. */
export interface Measure {
  readonly at: number
  readonly cpu: number
  readonly memory: number
}

/** most is how many samples are kept: an hour's worth. */
const most = 240

/** withSample appends a sample if it is newer, and drops the oldest beyond the limit. */
export function withSample(all: readonly Measure[], one: Measure): readonly Measure[] {
  if (Number.isNaN(one.at) || (all.at(-1)?.at ?? 0) >= one.at) return all
  return [...all, one].slice(-most)
}

/** usual is the most that lies between two samples while the clock runs as usual, in milliseconds. */
export const usual = 60_000

/** joinSamples appends those of the later samples that are newer. */
export const joinSamples = (all: readonly Measure[], later: readonly Measure[]): readonly Measure[] => later.reduce(withSample, all)

/**
 * pathOf draws samples over time into a rectangle, from zero to a tenth above the maximum. A single
 * sample is a horizontal line.
 */
export function pathOf(all: readonly Measure[], of: 'cpu' | 'memory', width: number, height: number): string {
  const [first, last] = [all[0], all.at(-1)]
  if (!first || !last) return ''
  const top = Math.max(...all.map((m) => m[of])) * 1.1 || 1
  const y = (m: Measure) => Math.round((height - (m[of] / top) * height) * 10) / 10
  if (first === last) return `M0 ${y(first)}H${width}`
  const x = (m: Measure) => Math.round(((m.at - first.at) / (last.at - first.at)) * width * 10) / 10
  return all.map((m, i) => `${i === 0 ? 'M' : 'L'}${x(m)} ${y(m)}`).join('')
}
