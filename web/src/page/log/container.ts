import type { KubeObject } from '../../api/object'

/** Pod holds the fields of a Pod that its logs need. */
export interface Pod extends KubeObject {
  readonly spec: { readonly containers?: readonly { name: string }[]; readonly initContainers?: readonly { name: string }[] }
  readonly status?: { readonly containerStatuses?: readonly ContainerStatus[]; readonly initContainerStatuses?: readonly ContainerStatus[] }
}

export interface ContainerStatus {
  readonly name: string
  readonly restartCount: number
  readonly state?: {
    readonly waiting?: { readonly reason?: string }
    readonly running?: object
    readonly terminated?: { readonly reason?: string }
  }
  readonly lastState?: { readonly terminated?: object }
}

/** Container is a container of a Pod with a log. */
export interface Container {
  readonly name: string
  readonly init: boolean
  /** Counts the starts: 0 before the first. Each run has its own log. */
  readonly runs: number
  /** Whether the previous run has a log. */
  readonly previous: boolean
  /** Why it has not started, in the server's words; '' if it has. */
  readonly waiting: string
}

/** containersOf lists a Pod's containers in the order in which they start. */
export function containersOf(pod: Pod): Container[] {
  const of = (names: readonly { name: string }[] = [], statuses: readonly ContainerStatus[] = [], init: boolean): Container[] =>
    names.map(({ name }) => {
      const s = statuses.find((one) => one.name === name)
      const ran = s?.state?.running !== undefined || s?.state?.terminated !== undefined
      const again = s?.lastState?.terminated !== undefined
      return {
        name,
        init,
        runs: (s?.restartCount ?? 0) + (ran || again ? 1 : 0),
        previous: again,
        waiting: ran || again ? '' : (s?.state?.waiting?.reason ?? 'Pending'),
      }
    })
  return [
    ...of(pod.spec.initContainers, pod.status?.initContainerStatuses, true),
    ...of(pod.spec.containers, pod.status?.containerStatuses, false),
  ]
}
