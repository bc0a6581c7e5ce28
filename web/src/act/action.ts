import { signal } from '@preact/signals'
import type { ComponentType } from 'preact'
import { loginNeeded } from '../api/http'
import type { KubeObject } from '../api/object'
import type { Resource } from '../api/resource'
import { type Key, t } from '../i18n'
import { objectHref } from '../route'
import { toast } from '../ui/toast'
import { failureOf } from './failure'
import type { Access } from './may'

/** Target is the object of an action. */
export interface Target {
  readonly resource: Resource
  readonly object: KubeObject
}

/** ActionProps are the props of an action's dialog. */
export interface ActionProps extends Target {
  readonly close: () => void
}

/**
 * Action is an operation on an object. It runs at once (run), opens a dialog (dialog) or has a page
 * of its own (to).
 */
export interface Action {
  readonly id: string
  readonly title: Key
  /** Whether it applies to this object in its current state. */
  readonly fits: (of: Target) => boolean
  /** The rights that it requires. */
  readonly needs: (of: Target) => readonly Access[]
  /** Whether it destroys something. */
  readonly danger?: boolean
  readonly run?: (of: Target) => Promise<void>
  readonly dialog?: () => Promise<ComponentType<ActionProps>>
  readonly to?: (of: Target) => string
}

/** doing is the action whose dialog is open. */
export const doing = signal<{ readonly action: Action; readonly target: Target } | null>(null)

/** start starts an action. Keyboard shortcuts call it as well. */
export async function start(action: Action, target: Target): Promise<void> {
  if (action.dialog) {
    doing.value = { action, target }
    return
  }
  try {
    await action.run?.(target)
  } catch (e) {
    refused(t(action.title), e)
  }
}

/** refused reports that an action failed, with the server's error. */
export function refused(what: string, e: unknown): void {
  if (loginNeeded.value) return // the login form is open and says so
  toast({ state: 'bad', text: t('act.refused', { what, message: failureOf(e) }) })
}

/** done reports that an action succeeded, with a link to the object. */
export function done(text: string, { resource, object }: Target): void {
  const { name, namespace } = object.metadata
  toast({ state: 'ok', text, link: { href: objectHref(resource.id, namespace, name), text: `${resource.kind} ${name}` } })
}
