/** Meta holds the metadata that the dashboard reads. */
export interface Meta {
  readonly name: string
  readonly namespace?: string
  readonly uid: string
  readonly resourceVersion: string
  readonly generation?: number
  readonly creationTimestamp: string
  readonly deletionTimestamp?: string
  readonly labels?: Readonly<Record<string, string>>
  readonly annotations?: Readonly<Record<string, string>>
  readonly ownerReferences?: readonly OwnerReference[]
  readonly finalizers?: readonly string[]
}

export interface OwnerReference {
  readonly apiVersion: string
  readonly kind: string
  readonly name: string
  readonly uid: string
  readonly controller?: boolean
  readonly blockOwnerDeletion?: boolean
}

/** KubeObject is any object. Pages for a kind use their own types of `spec` and `status`. */
export interface KubeObject {
  readonly apiVersion?: string
  readonly kind?: string
  readonly metadata: Meta
  readonly [field: string]: unknown
}

/**
 * fullName is an object's name, prefixed with its namespace if it has one, for messages about
 * actions.
 */
export const fullName = (m: { readonly name: string; readonly namespace?: string }): string =>
  m.namespace ? `${m.namespace}/${m.name}` : m.name

/** controllerOf returns the owner that controls the object. */
export const controllerOf = (m: Meta): OwnerReference | undefined => m.ownerReferences?.find((o) => o.controller)

/** Condition is a condition of an object's status. */
export interface Condition {
  readonly type: string
  readonly status: string
  readonly reason?: string
  readonly message?: string
  readonly lastTransitionTime?: string
  readonly lastUpdateTime?: string
}

/** conditionOf returns a condition that is True. */
export const conditionOf = (all: readonly Condition[] | undefined, type: string): Condition | undefined =>
  all?.find((c) => c.type === type && c.status === 'True')
