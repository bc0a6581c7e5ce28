import type { KubeObject } from '../../api/object'
import type { Resource } from '../../api/resource'

/**
 * TabProps are the props of each tab of an object's page: the object at the moment that is shown.
 */
export interface TabProps {
  readonly resource: Resource
  readonly object: KubeObject
}
