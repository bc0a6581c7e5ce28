/** DiffLine is a line of a comparison: what stays, goes or comes, or a gap where so many unchanged lines are left out. */
export interface DiffLine {
  readonly sign: ' ' | '-' | '+' | '…'
  readonly text: string
}

/** mostLines is how much of a text is compared; what is longer is cut, as comparing takes the square of it in the worst case. */
const mostLines = 20_000

/** around is how many unchanged lines are shown before and after a change. */
const around = 3

interface Part {
  readonly value: string
  readonly added?: boolean
  readonly removed?: boolean
}

/** foldDiff makes lines of the parts of a comparison, and leaves out what is far from any change. */
export function foldDiff(parts: readonly Part[]): DiffLine[] {
  const all: DiffLine[] = parts.flatMap((p) =>
    p.value
      .replace(/\n$/, '')
      .split('\n')
      .map((text) => ({ sign: p.added ? '+' : p.removed ? '-' : ' ', text }) as const),
  )
  const near = new Uint8Array(all.length)
  all.forEach((line, i) => {
    if (line.sign !== ' ') near.fill(1, Math.max(0, i - around), i + around + 1)
  })
  const out: DiffLine[] = []
  for (let i = 0; i < all.length; i++) {
    if (near[i]) {
      out.push(all[i] as DiffLine)
      continue
    }
    const from = i
    while (i + 1 < all.length && !near[i + 1]) i++
    out.push({ sign: '…', text: String(i - from + 1) })
  }
  return out
}

/** diffTexts compares two texts line by line; the library for it is loaded when it is needed. */
export async function diffTexts(before: string, after: string): Promise<DiffLine[]> {
  const { diffLines } = await import('diff')
  const cut = (text: string) => `${text.split('\n', mostLines).join('\n').replace(/\n$/, '')}\n`
  const parts = diffLines(cut(before), cut(after), { maxEditLength: 4000 })
  return foldDiff(
    parts ?? [
      { value: cut(before), removed: true },
      { value: cut(after), added: true },
    ],
  )
}
