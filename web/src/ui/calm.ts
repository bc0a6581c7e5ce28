import { useEffect, useReducer, useRef } from 'preact/hooks'

/**
 * useCalm recomputes a value when `changed` changes, but at most every `pause` milliseconds; in
 * between it keeps the old value. When `asked` changes, it recomputes at once.
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
