/** splitLines splits text into complete lines, and returns the incomplete rest. */
export function splitLines(text: string): { lines: string[]; rest: string } {
  const parts = text.split('\n')
  const rest = parts.pop() ?? ''
  return { lines: parts.filter((l) => l !== ''), rest }
}

/** linesOf reads an answer line by line as it arrives: in groups, as what came in one piece is better handled in one go. */
export async function* linesOf(answer: Response): AsyncGenerator<string[]> {
  if (!answer.body) return
  const reader = answer.body.pipeThrough(new TextDecoderStream() as unknown as TransformStream<Uint8Array, string>).getReader()
  let rest = ''
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) break
      const cut = splitLines(rest + value)
      rest = cut.rest
      if (cut.lines.length > 0) yield cut.lines
    }
    if (rest !== '') yield [rest]
  } finally {
    await reader.cancel().catch(() => undefined) // the connection is gone already
  }
}
