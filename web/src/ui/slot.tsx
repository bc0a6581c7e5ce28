import type { ComponentChildren, ComponentType } from 'preact'
import { useEffect, useErrorBoundary, useLayoutEffect, useState } from 'preact/hooks'
import { outage, tryNow, untilBack } from '../api/link'
import { t } from '../i18n'
import { willCome } from './keys'
import { StateMark } from './state'

export type Loader<P = object> = () => Promise<ComponentType<P>>

/**
 * load loads a part of the page, and waits during an outage. If a part is missing although the
 * server answers, the dashboard is outdated or the browser has given up on it: then the page
 * reloads, once.
 */
async function load<P>(loader: Loader<P>, signal: AbortSignal): Promise<ComponentType<P>> {
  for (let missing = 0; ; ) {
    try {
      await loadStyles()
      return await loader()
    } catch (e) {
      await tryNow()
      if (outage.peek() === null && missing++ > 0) return renew(e)
      await untilBack(signal)
      if (signal.aborted) throw e
    }
  }
}

/** lacking are the links of style sheets that failed to load. */
const lacking = new Set<HTMLLinkElement>()

/** noteLacking starts to record style sheets that fail to load. */
export function noteLacking(): void {
  const note = (e: Event) => e.target instanceof HTMLLinkElement && e.target.rel === 'stylesheet' && lacking.add(e.target)
  addEventListener('error', note, true)
}

/** loadStyles loads those style sheets again, since an import requests each of them only once. */
async function loadStyles(): Promise<void> {
  const all = [...lacking]
  lacking.clear()
  await Promise.all(all.map(replaced))
}

/** replaced replaces a link by a copy, and waits until its style sheet is loaded. */
function replaced(old: HTMLLinkElement): Promise<void> {
  const link = old.cloneNode() as HTMLLinkElement
  return new Promise((done, failed) => {
    link.onload = () => done()
    link.onerror = () => failed(new Error(`${link.href} could not be loaded`))
    old.replaceWith(link)
  })
}

const renewedKey = 'rowlock-renewed'

/** renewPause is the minimum time between two such reloads, in milliseconds. */
const renewPause = 60_000

function renew(e: unknown): never | Promise<never> {
  if (Date.now() - Number(sessionStorage.getItem(renewedKey)) < renewPause) throw e
  sessionStorage.setItem(renewedKey, String(Date.now()))
  location.reload()
  return new Promise(() => undefined)
}

/**
 * useComing makes unbound keys wait while a part is loading, and all keys for a dialog; in an
 * outage, which may last, none waits.
 */
function useComing(is: boolean, dialog: boolean): void {
  useLayoutEffect(() => {
    if (is) return willCome(dialog)
  }, [is, dialog])
}

/** useLoaded returns a component that is loaded when it is first needed; undefined until then. */
export function useLoaded<P>(loader: Loader<P>, dialog = false): ComponentType<P> | undefined {
  const [loaded, setLoaded] = useState<{ by: typeof loader; component: ComponentType<P> }>()
  const [fault, setFault] = useState<unknown>()
  useComing(loaded?.by !== loader && outage.value === null, dialog)
  useEffect(() => {
    const stop = new AbortController()
    load(loader, stop.signal).then(
      (component) => stop.signal.aborted || setLoaded({ by: loader, component }),
      (e: unknown) => stop.signal.aborted || setFault(e),
    )
    return () => stop.abort()
  }, [loader])
  if (fault) throw fault
  return loaded?.by === loader ? loaded.component : undefined
}

/** Contained shows a part of the page. If it fails, only that part does. */
function Contained({ children }: { children: ComponentChildren }) {
  const [fault] = useErrorBoundary()
  return fault ? <StateMark state="bad" label={t('load.fault', { message: String(fault) })} /> : children
}

/** Parts shows parts of the page. If one fails, only that one does. */
export function Parts({ of }: { of: readonly ComponentType[] }) {
  return of.map((Part, i) => (
    <Contained key={i}>
      <Part />
    </Contained>
  ))
}

/** Slot shows a part of the page that is loaded separately. If it fails, only the slot does. */
export function Slot<P extends object>({ of, dialog, ...props }: { of: Loader<P>; dialog?: boolean } & P) {
  return (
    <Contained>
      <Loading of={of} dialog={dialog === true} props={props} />
    </Contained>
  )
}

function Loading<P extends object>({ of, dialog, props }: { of: Loader<P>; dialog: boolean; props: object }) {
  const Loaded = useLoaded(of, dialog) as ComponentType<object> | undefined
  return Loaded ? <Loaded {...props} /> : null
}
