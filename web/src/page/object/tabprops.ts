import type { KubeObject } from '../../api/object'
import type { Resource } from '../../api/resource'

/** TabProps is what each tab of an object's page is given: the object as it is at the moment that is shown. */
export interface TabProps {
  readonly resource: Resource
  readonly object: KubeObject
}
