/** PodFault, NodeFault and ImageFault are what can be made to fail. Source: Rowlock's operation POST /rowlock/v1/faults. */
export interface PodFault {
  readonly namespace: string
  readonly name?: string
  readonly selector?: string
  readonly container?: string
  readonly action: string
  readonly exitCode?: number
}
export interface NodeFault {
  readonly name: string
  readonly state: string
}
export interface ImageFault {
  readonly image: string
}

/** FaultRequest asks for a fault. */
export interface FaultRequest {
  readonly for?: string
  readonly pod?: PodFault
  readonly node?: NodeFault
  readonly image?: ImageFault
}

/** Fault is one as the server tells it. */
export interface Fault extends FaultRequest {
  readonly name: string
  readonly created: string
  readonly until?: string
  readonly summary: string
}

export const podActions = ['exit', 'oom', 'crashloop', 'unready', 'stuck', 'evict'] as const
export const nodeStates = ['unreachable', 'failed'] as const

/** FaultKind is what the form lets one choose. */
export type FaultKind = (typeof podActions)[number] | (typeof nodeStates)[number] | 'pull'

/** lasting are the faults that go on until they are lifted or their time is over; the others happen once. */
export const lasting = (kind: FaultKind): boolean => kind !== 'exit' && kind !== 'oom' && kind !== 'evict'

/** FaultForm is what a person has chosen. */
export interface FaultForm {
  readonly kind: FaultKind
  readonly namespace: string
  /** The Pod's or node's name; '' where a selector says which Pods. */
  readonly name: string
  readonly selector: string
  readonly container: string
  readonly image: string
  readonly exitCode: string
  readonly span: string
}

/** requestOf is what to ask the server for. What does not concern the kind of fault is left out. */
export function requestOf(f: FaultForm): FaultRequest {
  const span = lasting(f.kind) && f.span.trim() !== '' ? { for: f.span.trim() } : {}
  if (f.kind === 'pull') return { ...span, image: { image: f.image } }
  if (f.kind === 'unreachable' || f.kind === 'failed') return { ...span, node: { name: f.name, state: f.kind } }
  const contained = f.kind === 'exit' || f.kind === 'oom' || f.kind === 'crashloop'
  return {
    ...span,
    pod: {
      namespace: f.namespace,
      ...(f.name === '' ? { selector: f.selector } : { name: f.name }),
      action: f.kind,
      ...(contained && f.container !== '' ? { container: f.container } : {}),
      ...((f.kind === 'exit' || f.kind === 'crashloop') && f.exitCode !== '' ? { exitCode: Number(f.exitCode) } : {}),
    },
  }
}
