import { effect } from '@preact/signals'
import { loginNeeded } from './http'

/**
 * whileAllowed runs something while the server lets this user read: it stops when a login is
 * required, and starts again after it.
 */
export function whileAllowed(run: (signal: AbortSignal) => Promise<void>): void {
  let running: AbortController | null = null
  effect(() => {
    running?.abort()
    running = null
    if (loginNeeded.value) return
    running = new AbortController()
    void run(running.signal)
  })
}
