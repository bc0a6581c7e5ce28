import type { KubeObject } from '../api/object'
import type { Resource } from '../api/resource'
import type { Loader } from '../ui/slot'

/*
 * The places that the frame of the dashboard has for its parts. Each is a list: a part is added by a line here, is loaded on its own,
 * and draws nothing where it has nothing to show. They stand in the order in which they are listed.
 */

/** inBar are the parts at the end of the bar above every page. */
export const inBar: readonly Loader[] = [
  () => import('../page/fork/switcher').then((m) => m.Switcher),
  () => import('../clock/bar').then((m) => m.ClockInBar),
  () => import('../act/createlink').then((m) => m.CreateLink),
]

/** atBottom are the parts below every page, always visible. */
export const atBottom: readonly Loader[] = [
  () => import('../act/dialog').then((m) => m.ActionDialog),
  () => import('../page/fork/make').then((m) => m.MakeFork),
  () => import('../ui/toast').then((m) => m.Toasts),
  () => import('../time/scrubber').then((m) => m.Scrubber),
  () => import('./kindfollow').then((m) => m.KindFollow),
]

/** jump is the jump dialog. */
export const jump: Loader = () => import('../page/jump/jump').then((m) => m.Jump)

/** atTop are the parts between the bar and every page, read before anything below. */
export const atTop: readonly Loader[] = [() => import('../time/banner').then((m) => m.Banner)]

/** TableProps are the props of the parts beside the title of a table. */
export interface TableProps {
  readonly resource: Resource
  readonly namespace: string
}

/** onTable are the parts beside the title of a table. */
export const onTable: readonly Loader<TableProps>[] = []

/**
 * ObjectProps are the props of the parts beside the name of an object: the object at the moment
 * that is shown.
 */
export interface ObjectProps {
  readonly resource: Resource
  readonly object: KubeObject
}

/** onObject are the parts beside the name of an object, such as the menu of actions. */
export const onObject: readonly Loader<ObjectProps>[] = [() => import('../act/menu').then((m) => m.ActionMenu)]
