import { useEffect } from 'preact/hooks'
import { loadResources } from '../api/resource'
import { hear } from '../time/now'

/** definitions are the resources whose changes add and remove kinds. */
const definitions: readonly string[] = ['customresourcedefinitions.apiextensions.k8s.io', 'apiservices.apiregistration.k8s.io']

/**
 * delays are the times, in milliseconds, after the last change of a definition at which the kinds
 * are read again: soon, and once more, because the answering replica may lag behind the one that
 * reported the change.
 */
const delays = [300, 3_000]

/**
 * KindFollow reads the kinds again when definitions change, so that new kinds appear and deleted
 * ones disappear without reloading.
 */
export function KindFollow() {
  useEffect(() => {
    let timers: ReturnType<typeof setTimeout>[] = []
    const forget = hear((changes) => {
      if (!changes.some((c) => definitions.includes(c.resource))) return
      for (const t of timers) clearTimeout(t)
      timers = delays.map((ms) => setTimeout(() => void loadResources().catch(() => undefined), ms)) // an outage is reported elsewhere
    })
    return () => {
      forget()
      for (const t of timers) clearTimeout(t)
    }
  }, [])
  return null
}
