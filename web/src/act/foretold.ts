/** Ref names an object. Source: Rowlock's operation GET /rowlock/v1/deletion. */
export interface Ref {
  readonly resource: string
  readonly kind: string
  readonly namespace?: string
  readonly name: string
  readonly uid: string
}

/** Held is an object that would be told to go and would not. */
export interface Held extends Ref {
  readonly finalizers?: readonly string[]
  readonly node?: string
}

/** Foretold is what a deletion would remove and leave behind; lists are cut, counts are not. */
export interface Foretold {
  readonly propagation: 'Background' | 'Foreground' | 'Orphan'
  readonly deleted: readonly Ref[]
  readonly deletedCount: number
  readonly orphaned: readonly Ref[]
  readonly orphanedCount: number
  readonly released?: readonly Ref[]
  readonly releasedCount?: number
  readonly held?: readonly Held[]
  readonly heldCount?: number
}

/** Group are the objects of one kind among many. */
export interface Group {
  readonly kind: string
  readonly resource: string
  readonly refs: readonly Ref[]
}

/** groupByKind sorts objects by their kinds, in the order in which the kinds come first. */
export function groupByKind(refs: readonly Ref[]): Group[] {
  const groups = new Map<string, { kind: string; resource: string; refs: Ref[] }>()
  for (const r of refs) {
    const group = groups.get(r.resource) ?? { kind: r.kind, resource: r.resource, refs: [] }
    group.refs.push(r)
    groups.set(r.resource, group)
  }
  return [...groups.values()]
}
