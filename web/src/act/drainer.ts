import { type Signal, signal } from '@preact/signals'
import { sleep } from '../api/feed'
import { ApiError } from '../api/http'
import type { DrainPod } from './drainplan'

/** Step is the progress of a drain for one Pod. */
export interface Step {
  readonly pod: DrainPod
  /**
   * waiting: not sent yet. blocked: rejected for now, will be retried. told: the eviction is
   * accepted. failed: rejected.
   */
  readonly state: 'waiting' | 'blocked' | 'told' | 'failed'
  readonly message?: string
}

/** How many evictions are sent at a time. */
const parallel = 8

/**
 * retryAfter returns how long to wait, in milliseconds, before a blocked eviction is retried: what
 * the server asks for, within limits.
 */
export function retryAfter(e: ApiError): number {
  const seconds = e.status.details?.retryAfterSeconds ?? 0
  return Math.min(Math.max(seconds, 5), 60) * 1000
}

/** outcome classifies the answer to an eviction. */
export function outcome(e: unknown): 'told' | 'blocked' | 'failed' {
  if (!(e instanceof ApiError)) return 'failed'
  if (e.code === 404 || e.code === 409) return 'told' // the Pod is gone, or another Pod has its name
  return e.code === 429 || e.code === 0 || e.code === 503 ? 'blocked' : 'failed'
}

/**
 * messageOf returns why an eviction was refused: the causes, which name the budget, if there are
 * any.
 */
export function messageOf(e: unknown): string {
  const causes = e instanceof ApiError ? (e.status.details?.causes ?? []).flatMap((c) => c.message ?? []) : []
  if (causes.length > 0) return causes.join(' ')
  return e instanceof Error ? e.message : String(e)
}

/**
 * Drainer evicts Pods, several at a time, and retries blocked evictions until all are accepted or
 * it is stopped.
 *
 * Source: kubernetes v1.36 staging/src/k8s.io/kubectl/pkg/drain/drain.go, evictPods
 */
export class Drainer {
  /** Counts up when a step changes; read `steps` then. */
  readonly changed: Signal<number> = signal(0)
  readonly steps = new Map<string, Step>()
  /** Whether it is still running. */
  readonly running = signal(false)

  readonly #stop = new AbortController()
  readonly #evict: (pod: DrainPod, signal: AbortSignal) => Promise<void>

  constructor(pods: readonly DrainPod[], evict: (pod: DrainPod, signal: AbortSignal) => Promise<void>) {
    this.#evict = evict
    for (const pod of pods) this.steps.set(pod.metadata.uid, { pod, state: 'waiting' })
  }

  /** stop sends no more evictions. Accepted ones still take effect. */
  stop(): void {
    this.#stop.abort()
  }

  get stopped(): boolean {
    return this.#stop.signal.aborted
  }

  /** run evicts until all evictions are accepted or have failed. */
  async run(): Promise<void> {
    this.running.value = true
    for (;;) {
      const open = [...this.steps.values()].filter((s) => s.state === 'waiting' || s.state === 'blocked').map((s) => s.pod)
      if (open.length === 0 || this.stopped) break
      const waits = await this.#round(open)
      if (waits > 0) await sleep(waits, this.#stop.signal)
    }
    this.running.value = false
  }

  /** round sends one eviction for each Pod, and returns how long to wait before the next round. */
  async #round(pods: DrainPod[]): Promise<number> {
    let waits = 0
    const queue = pods.values()
    const work = async () => {
      for (const pod of queue) {
        if (this.stopped) return
        waits = Math.max(waits, await this.#ask(pod))
      }
    }
    await Promise.all(Array.from({ length: parallel }, work))
    return waits
  }

  async #ask(pod: DrainPod): Promise<number> {
    try {
      await this.#evict(pod, this.#stop.signal)
      this.#set({ pod, state: 'told' })
    } catch (e) {
      if (this.stopped) return 0
      const state = outcome(e)
      this.#set({ pod, state, message: messageOf(e) })
      if (state === 'blocked') return retryAfter(e as ApiError)
    }
    return 0
  }

  #set(s: Step): void {
    this.steps.set(s.pod.metadata.uid, s)
    this.changed.value++
  }
}
