import { effect } from '@preact/signals'
import { loginNeeded } from './http'

/** whileAllowed runs something as long as the server lets this person read: it is ended when a login is wanted, and begun again after it. */
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
