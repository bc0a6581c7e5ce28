import { ApiError, getJSON, send } from '../api/http'
import type { KubeObject } from '../api/object'
import { objectPath, type Resource } from '../api/resource'
import { bodyOf, clean } from './draft'
import { same } from './merge'
import { parseWarnings } from './problem'

/** Saved is the result of a PUT: the new object or, if others changed it first, the live one. */
export type Saved =
  | { readonly state: 'done'; readonly object: KubeObject; readonly base: KubeObject; readonly warnings: string[] }
  | { readonly state: 'conflict'; readonly live: KubeObject }

/**
 * How often a PUT is retried because only fields that users do not edit have changed: controllers
 * may write a status often.
 */
const tries = 8

/**
 * save replaces the object that the editor started from with the text, or only previews that (dry).
 * If users' fields of the object have changed meanwhile, it is a conflict; if only fields of the
 * server and controllers have, it retries on the newer version.
 */
export async function save(resource: Resource, base: KubeObject, text: string, dry: boolean): Promise<Saved> {
  const path = objectPath(resource, base.metadata.namespace ?? '', base.metadata.name)
  let newest = base
  for (let left = tries; ; left--) {
    try {
      const query = { fieldValidation: 'Strict', ...(dry ? { dryRun: 'All' } : {}) }
      const answer = await send(path, { method: 'PUT', type: 'application/yaml', body: bodyOf(text, newest), query })
      const object = (await answer.json()) as KubeObject
      return { state: 'done', object, base: dry ? newest : object, warnings: parseWarnings(answer.headers.get('Warning')) }
    } catch (e) {
      if (!(e instanceof ApiError) || e.code !== 409) throw e
      const live = await getJSON<KubeObject>(path)
      if (live.metadata.uid !== base.metadata.uid) throw e // another object has the name
      if (!same(clean(resource, live), clean(resource, base))) return { state: 'conflict', live }
      if (left === 0) throw e
      newest = live
    }
  }
}
