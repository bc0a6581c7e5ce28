import { signal } from '@preact/signals'
import { getJSON, loginNeeded, urlOf } from './http'

/** Person is the user, as the server identifies them. */
export interface Person {
  readonly username: string
  readonly groups: readonly string[]
}

/** me is the person; null until it has been asked. */
export const me = signal<Person | null>(null)

const path = '/apis/authentication.k8s.io/v1/selfsubjectreviews'
const review = { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' }

interface Review {
  readonly status?: { readonly userInfo?: { readonly username?: string; readonly groups?: readonly string[] } }
}

const personOf = (r: Review): Person => ({ username: r.status?.userInfo?.username ?? '', groups: r.status?.userInfo?.groups ?? [] })

/**
 * readMe asks the server for the current user. Source: kubernetes v1.36
 * staging/src/k8s.io/api/authentication/v1/types.go, SelfSubjectReview
 */
export async function readMe(): Promise<void> {
  if (loginNeeded.value) return
  try {
    me.value = personOf(await getJSON<Review>(path, { method: 'POST', body: review }))
  } catch {
    me.value = null // only the settings show it; they omit it then
  }
}

/**
 * Known is the owner of a token, or why it is unknown: the token is invalid, or the server is
 * unreachable.
 */
export type Known = Person | 'wrong' | 'unreachable'

/** whose asks the server for the owner of a token before it is stored. */
export async function whose(token: string): Promise<Known> {
  if (!/^[\x21-\x7e]+$/.test(token)) return 'wrong' // no header can contain it
  try {
    const answer = await fetch(urlOf(path), {
      method: 'POST',
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json', Accept: 'application/json' },
      body: JSON.stringify(review),
      cache: 'no-store',
      credentials: 'same-origin',
    })
    if (answer.status === 401 || answer.status === 403) return 'wrong'
    return answer.ok ? personOf((await answer.json()) as Review) : 'unreachable'
  } catch {
    return 'unreachable'
  }
}
