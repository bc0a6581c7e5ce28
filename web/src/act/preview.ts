import type { Own } from '../api/own'

/** Ref names an object. Source: Rowlock's operation GET /rowlock/v1/deletion. */
export type Ref = Own<'Ref'>

/** Held is an object that would be deleted but stay for now. */
export type Held = Own<'Held'>

/**
 * Answer is the server's preview of the deletion of one object, which is the first in `deleted`.
 * Lists may be truncated; counts are exact.
 */
export type Answer = Own<'Deletion'>

/** Listed is a list of objects that may be truncated; `count` is the total. */
export interface Listed<R extends Ref = Ref> {
  readonly refs: readonly R[]
  readonly count: number
}

/** Preview is what the deletion of some objects affects besides these objects. */
export interface Preview {
  readonly dependents: Listed
  readonly orphaned: Listed
  readonly released: Listed
  readonly held: Listed<Held>
}

/**
 * mergePreviews combines the previews of several deletions. `targets` are the uids of the objects to delete. An object counts once however
 * many of the deletions affect it, and one that is deleted is not orphaned.
 */
export function mergePreviews(answers: readonly Answer[], targets: ReadonlySet<string>): Preview {
  const none = new Set<string>()
  const rest = answers.map((a) => ({ listed: a.deleted.slice(1), count: a.deletedCount - 1 }))
  const dependents = merge(rest, targets)
  const gone = new Set([...targets, ...dependents.refs.map((r) => r.uid)])
  return {
    dependents,
    orphaned: merge(
      answers.map((a) => ({ listed: a.orphaned, count: a.orphanedCount })),
      gone,
    ),
    released: merge(
      answers.map((a) => ({ listed: a.released, count: a.releasedCount })),
      gone,
    ),
    held: merge(
      answers.map((a) => ({ listed: a.held, count: a.heldCount })),
      none,
    ),
  }
}

function merge<R extends Ref>(parts: readonly { listed: readonly R[]; count: number }[], without: ReadonlySet<string>): Listed<R> {
  const refs = new Map<string, R>()
  let unlisted = 0
  for (const { listed, count } of parts) {
    for (const r of listed) if (!without.has(r.uid)) refs.set(r.uid, r)
    unlisted += Math.max(0, count - listed.length)
  }
  return { refs: [...refs.values()], count: refs.size + unlisted }
}

/**
 * confirmation returns the text that a person must type before objects are deleted; '' for none. It
 * is required for namespaces, because everything in them is deleted too: the name of one, or the
 * number of several.
 */
export function confirmation(resource: string, names: readonly string[]): string {
  if (resource !== 'namespaces') return ''
  return names.length === 1 ? (names[0] ?? '') : `${names.length} namespaces`
}

/** Group holds the objects of one kind. */
export interface Group {
  readonly kind: string
  readonly resource: string
  readonly refs: readonly Ref[]
}

/** groupByKind groups objects by kind, in order of first appearance. */
export function groupByKind(refs: readonly Ref[]): Group[] {
  const groups = new Map<string, { kind: string; resource: string; refs: Ref[] }>()
  for (const r of refs) {
    const group = groups.get(r.resource) ?? { kind: r.kind, resource: r.resource, refs: [] }
    group.refs.push(r)
    groups.set(r.resource, group)
  }
  return [...groups.values()]
}
