import type { Own } from '../api/own'

/**
 * PodFault and APIFault are the targets of faults. Source: Rowlock's operation POST
 * /rowlock/v1/faults.
 */
export type PodFault = Own<'PodFault'>
export type APIFault = Own<'APIFault'>

/** FaultRequest asks for a fault. */
export type FaultRequest = Own<'FaultRequest'>

/** Fault is a fault as the server returns it. */
export type Fault = Own<'Fault'>

export const podActions = ['exit', 'oom', 'crashloop', 'unready', 'stuck', 'evict'] as const
export const nodeStates = ['unreachable', 'failed'] as const

/** apiEffects are the possible effects on requests. */
export const apiEffects = ['error', 'delay', 'conflict', 'drop', 'expire'] as const

/** FaultKind is a choice in the forms. */
export type FaultKind = (typeof podActions)[number] | (typeof nodeStates)[number] | 'pull'

export type APIEffect = (typeof apiEffects)[number]

/**
 * APIForm is the state of the form for API faults. Lists are separated by commas or spaces; ''
 * matches all.
 */
export interface APIForm {
  readonly effect: APIEffect
  readonly verbs: string
  readonly resources: string
  readonly namespaces: string
  readonly status: string
  readonly delay: string
  /** The percentage of requests that are affected; '' is all. */
  readonly percent: string
  readonly span: string
}

/**
 * apiRequestOf builds the request. It omits fields that are empty or do not apply to the effect.
 */
export function apiRequestOf(f: APIForm): FaultRequest {
  const list = (text: string) => text.split(/[\s,]+/).filter((w) => w !== '')
  const lists = Object.fromEntries(
    (['verbs', 'resources', 'namespaces'] as const).flatMap((k) => (list(f[k]).length > 0 ? [[k, list(f[k])]] : [])),
  )
  const effects: Record<APIEffect, APIFault> = {
    error: { status: Number(f.status) },
    delay: { delay: f.delay.trim() },
    conflict: { conflict: true },
    drop: { drop: 'before' },
    expire: { watch: 'expire' },
  }
  const likely = f.percent.trim() === '' ? {} : { probability: Number(f.percent) / 100 }
  return { ...(f.span.trim() === '' ? {} : { for: f.span.trim() }), api: { ...lists, ...effects[f.effect], ...likely } }
}

/**
 * lasting reports whether a fault continues until it is lifted or expires; the others happen once.
 */
export const lasting = (kind: FaultKind): boolean => kind !== 'exit' && kind !== 'oom' && kind !== 'evict'

/** FaultForm is the state of the form. */
export interface FaultForm {
  readonly kind: FaultKind
  readonly namespace: string
  /** The name of the Pod or node; '' if Pods are chosen by a selector. */
  readonly name: string
  readonly selector: string
  readonly container: string
  readonly image: string
  readonly exitCode: string
  readonly span: string
}

/** requestOf builds the request. It omits fields that do not apply to the kind of fault. */
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
