import { signal } from '@preact/signals'
import { getJSON } from '../api/http'
import { whenAnswered } from '../api/read'
import { collectionPath, type Resource, resources } from '../api/resource'

/** Access is an operation that a user may or may not perform. */
export interface Access {
  readonly verb: string
  readonly resource?: string // the plural
  readonly path?: string // of a non-resource request
  readonly group?: string
  readonly subresource?: string
  readonly namespace?: string | undefined
}

/** accessTo is an operation on the objects of a kind in a namespace. */
export function accessTo(verb: string, r: Resource, namespace: string | undefined, subresource = ''): Access {
  return { verb, group: r.group, resource: r.plural, namespace, ...(subresource === '' ? {} : { subresource }) }
}

const keyOf = (a: Access): string => [a.verb, a.group ?? '', a.resource ?? a.path ?? '', a.subresource ?? '', a.namespace ?? ''].join(' ')

/** answers are the server's answers for the current user. */
const answers = signal<ReadonlyMap<string, boolean>>(new Map())
const asked = new Set<string>()

/** forgetAccess drops all answers, for when another user logs in. */
export function forgetAccess(): void {
  asked.clear()
  answers.value = new Map()
}

/** may reports whether the user may do all of this; undefined until the server has answered. */
export function may(all: readonly Access[]): boolean | undefined {
  const said = all.map((a) => answers.value.get(keyOf(a)))
  if (said.includes(false)) return false
  return said.includes(undefined) ? undefined : true
}

/**
 * askAccess asks the server about rights that it has not been asked about, all at once. If the
 * server cannot answer, the right is assumed, and the request itself is decisive.
 *
 * Source: kubernetes v1.36 staging/src/k8s.io/api/authorization/v1/types.go,
 * SelfSubjectAccessReview
 */
export async function askAccess(all: readonly Access[]): Promise<void> {
  const reviews = resources.value.get('selfsubjectaccessreviews.authorization.k8s.io')
  const open = new Map(all.map((a) => [keyOf(a), a]))
  for (const key of open.keys()) if (asked.has(key)) open.delete(key)
  for (const key of open.keys()) asked.add(key)
  const answered = await Promise.all([...open].map(async ([key, a]) => [key, await ask(reviews, a)] as const))
  if (answered.length > 0) answers.value = new Map([...answers.value, ...answered])
}

async function ask(reviews: Resource | undefined, a: Access): Promise<boolean> {
  if (!reviews) return true
  try {
    const body = {
      apiVersion: 'authorization.k8s.io/v1',
      kind: 'SelfSubjectAccessReview',
      spec: a.path ? { nonResourceAttributes: a } : { resourceAttributes: a },
    }
    const question = () => getJSON<{ status?: { allowed?: boolean } }>(collectionPath(reviews), { method: 'POST', body })
    return (await whenAnswered(question)).status?.allowed ?? true
  } catch {
    return true // unknown: let the user try and see the server's error
  }
}
