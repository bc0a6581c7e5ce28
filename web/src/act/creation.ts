import { ApiError, send } from '../api/http'
import type { KubeObject } from '../api/object'
import { collectionPath, type Resource, resourceOfKind } from '../api/resource'
import type { Manifest, Problem } from './manifest'
import { parseWarnings, problemsOf, warningsOf } from './problem'

/**
 * Outcome is the result for one manifest. checked: the server would accept it. later: it cannot be
 * checked yet, because another manifest creates its namespace. taken: an object with that name
 * exists.
 */
export interface Outcome {
  readonly manifest: Manifest
  readonly state: 'checked' | 'later' | 'created' | 'taken' | 'unknown' | 'refused'
  readonly resource?: Resource
  readonly namespace: string
  readonly name: string
  readonly error?: ApiError
  readonly problems: readonly Problem[]
}

/** Attempt is one request that creates, or would create, an object. */
type Attempt = (m: Manifest, r: Resource, namespace: string) => Promise<{ object: KubeObject; warnings: string[] }>

/** post sends a manifest unchanged, so that only the server validates it. */
export const post =
  (dry: boolean): Attempt =>
  async (m, r, namespace) => {
    const version = m.apiVersion.includes('/') ? (m.apiVersion.split('/')[1] ?? '') : m.apiVersion
    const answer = await send(collectionPath({ ...r, version }, namespace), {
      method: 'POST',
      type: 'application/yaml',
      body: m.text,
      query: { fieldValidation: 'Strict', ...(dry ? { dryRun: 'All' } : {}) },
    })
    return { object: (await answer.json()) as KubeObject, warnings: parseWarnings(answer.headers.get('Warning')) }
  }

/** namespacesMade returns the namespaces that the manifests create. */
export const namespacesMade = (all: readonly Manifest[]): ReadonlySet<string> =>
  new Set(all.filter((m) => m.kind === 'Namespace' && m.apiVersion === 'v1').map((m) => m.name))

/**
 * tryAll sends manifests one after another, in the order of the text, and returns the outcome of
 * each. `fallback` is the namespace of those without one.
 */
export async function tryAll(all: readonly Manifest[], fallback: string, dry: boolean, attempt = post(dry)): Promise<Outcome[]> {
  const made = namespacesMade(all)
  const outcomes: Outcome[] = []
  for (const m of all) outcomes.push(await tryOne(m, fallback, dry, made, attempt))
  return outcomes
}

async function tryOne(m: Manifest, fallback: string, dry: boolean, made: ReadonlySet<string>, attempt: Attempt): Promise<Outcome> {
  const resource = resourceOfKind(m.apiVersion, m.kind)
  const about = { manifest: m, namespace: '', name: m.name, problems: [] }
  if (!resource) return { ...about, state: 'unknown' }
  const namespace = resource.namespaced ? m.namespace || fallback : ''
  const found = { ...about, resource, namespace }
  try {
    const { object, warnings } = await attempt(m, resource, namespace)
    return { ...found, state: dry ? 'checked' : 'created', name: object.metadata.name ?? m.name, problems: warningsOf(m, warnings) }
  } catch (e) {
    const error = e instanceof ApiError ? e : new ApiError({ message: String(e) }, 0)
    if (dry && error.code === 404 && made.has(namespace)) return { ...found, state: 'later' }
    const state = error.reason === 'AlreadyExists' ? 'taken' : 'refused'
    return { ...found, state, error, problems: isAboutText(error) ? problemsOf(m, { ...error.status, message: error.message }) : [] }
  }
}

/**
 * isAboutText reports whether an error concerns the text, rather than the user or the connection.
 */
const isAboutText = (e: ApiError): boolean => e.code !== 0 && e.code !== 401 && e.code !== 403

/** wellChecked reports whether all manifests can be created. */
export const wellChecked = (all: readonly Outcome[]): boolean => all.every((o) => o.state === 'checked' || o.state === 'later')
