import { controllerOf, type Meta } from '../../api/object'
import type { Selector } from '../../api/selector'
import { formatSelector } from '../../api/workload'

/**
 * Kinship says how an object belongs to a workload.
 *
 * own: the workload created it. older, named: it was adopted, since it is older than its owner, or
 * its name does not start with the owner's. orphaned: the selector matches it, but it has no
 * controller. released: this workload created it, as its name shows, but no longer controls it.
 */
export type Kinship = 'own' | 'older' | 'named' | 'orphaned' | 'released'

/** byHand marks Jobs that a person created from a CronJob, with names of their own. */
const byHand = 'cronjob.kubernetes.io/instantiate'

/**
 * madeFrom reports whether a name starts with an owner's name and a hyphen, as controllers generate
 * names.
 */
const madeFrom = (name: string, owner: string): boolean => name.startsWith(`${owner}-`)

/**
 * kinshipOf returns how a managed object belongs to its owner. Creation times are whole seconds, so
 * only an earlier one is conclusive.
 */
export function kinshipOf(child: Meta, owner: Meta): Kinship {
  if (Date.parse(child.creationTimestamp) < Date.parse(owner.creationTimestamp)) return 'older'
  if (!madeFrom(child.name, owner.name) && child.annotations?.[byHand] === undefined) return 'named'
  return 'own'
}

/**
 * strayOf returns how an object without a controller relates to a workload; undefined if it has a
 * controller.
 */
export function strayOf(child: Meta, makers: readonly Meta[], matches: boolean): Kinship | undefined {
  if (controllerOf(child)) return undefined
  if (makers.some((m) => madeFrom(child.name, m.name))) return 'released'
  return matches ? 'orphaned' : undefined
}

/** mostNames is the maximum number of values in one selector. */
const mostNames = 50

/** oneOf selects objects with one of the values of a label; '' if there are none. */
export function oneOf(label: string, values: readonly string[]): string {
  const some = values.slice(0, mostNames)
  return some.length === 0 ? '' : formatSelector({ matchExpressions: [{ key: label, operator: 'In', values: some }] })
}

/**
 * strayLabels selects objects that may have been released: they still have a label that only this
 * family sets, but no longer one that the selector requires. There is a selector for each such
 * label, up to two, so that only strays are read.
 */
export function strayLabels(selector: Selector, anchor: string, anchorKey: string): string[] {
  if (anchor === '') return []
  return Object.entries(selector.matchLabels ?? {})
    .filter(([key]) => key !== anchorKey)
    .slice(0, 2)
    .map(([key, value]) => `${anchor},${key}!=${value}`)
}
