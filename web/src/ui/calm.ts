import { useEffect, useReducer, useRef } from 'preact/hooks'

/**
 * useCalm computes something anew when `changed` is another value than before, but not more often than every `pause` milliseconds: in
 * between it is what it was. When `asked` changes it is computed at once.
 */
export function useCalm<T>(changed: unknown, asked: unknown, pause: number, compute: () => T): T {
  const [, again] = useReducer((n: number) => n + 1, 0)
  const kept = useRef<{ value: T; changed: unknown; asked: unknown; at: number } | null>(null)
  const now = performance.now()
  const k = kept.current
  const wait = k && k.asked === asked ? (k.changed === changed ? null : k.at + pause - now) : 0
  if (wait !== null && wait <= 0) kept.current = { value: compute(), changed, asked, at: now }
  useEffect(() => {
    if (wait === null || wait <= 0) return
    const timer = setTimeout(again, wait, null)
    return () => clearTimeout(timer)
  })
  return (kept.current as { value: T }).value
}
