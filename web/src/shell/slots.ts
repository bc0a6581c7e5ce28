import type { ComponentType } from 'preact'
import { CreateLink } from '../act/createlink'
import { ActionDialog } from '../act/dialog'
import type { KubeObject } from '../api/object'
import type { Resource } from '../api/resource'
import { ClockInBar } from '../clock/bar'
import { MakeFork } from '../page/fork/make'
import { Switcher } from '../page/fork/switcher'
import { Banner } from '../time/banner'
import { Scrubber } from '../time/scrubber'
import type { Loader } from '../ui/slot'
import { Toasts } from '../ui/toast'
import { KindFollow } from './kindfollow'

/*
 * The places that the frame of the dashboard has for its parts. Each is a list: a part is added by a line here, and draws nothing where
 * it has nothing to show. They stand in the order in which they are listed. What every page has is in the frame's file (vite.config.ts);
 * the other parts are loaded on their own.
 */

/** inBar are the parts at the end of the bar above every page. */
export const inBar: readonly ComponentType[] = [Switcher, ClockInBar, CreateLink]

/** atBottom are the parts below every page, always visible. */
export const atBottom: readonly ComponentType[] = [ActionDialog, MakeFork, Toasts, Scrubber, KindFollow]

/** jump is the jump dialog. */
export const jump: Loader = () => import('../page/jump/jump').then((m) => m.Jump)

/** atTop are the parts between the bar and every page, read before anything below. */
export const atTop: readonly ComponentType[] = [Banner]

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
