/** Meta is the metadata of an object, as far as the dashboard reads it. */
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

/** KubeObject is any object. Pages that know a kind read `spec` and `status` through types of their own. */
export interface KubeObject {
  readonly apiVersion?: string
  readonly kind?: string
  readonly metadata: Meta
  readonly [field: string]: unknown
}

/** fullName is an object's name, with its namespace before it if it has one. Messages about actions use it. */
export const fullName = (m: { readonly name: string; readonly namespace?: string }): string =>
  m.namespace ? `${m.namespace}/${m.name}` : m.name

/** controllerOf is the one owner that manages the object. */
export const controllerOf = (m: Meta): OwnerReference | undefined => m.ownerReferences?.find((o) => o.controller)

/** Condition is one of an object's. */
export interface Condition {
  readonly type: string
  readonly status: string
  readonly reason?: string
  readonly message?: string
  readonly lastTransitionTime?: string
  readonly lastUpdateTime?: string
}

/** conditionOf finds a condition that holds. */
export const conditionOf = (all: readonly Condition[] | undefined, type: string): Condition | undefined =>
  all?.find((c) => c.type === type && c.status === 'True')
