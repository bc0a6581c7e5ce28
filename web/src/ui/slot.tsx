import type { ComponentType } from 'preact'
import { useEffect, useErrorBoundary, useState } from 'preact/hooks'
import { t } from '../i18n'
import { StateMark } from './state'

export type Loader<P = object> = () => Promise<ComponentType<P>>

/** useLoaded is a component that is loaded when it is first needed; undefined until it is there. */
export function useLoaded<P>(loader: Loader<P>): ComponentType<P> | undefined {
  const [loaded, setLoaded] = useState<{ by: typeof loader; component: ComponentType<P> }>()
  const [fault, setFault] = useState<unknown>()
  useEffect(() => {
    let wanted = true
    loader().then(
      (component) => wanted && setLoaded({ by: loader, component }),
      (e: unknown) => wanted && setFault(e),
    )
    return () => {
      wanted = false
    }
  }, [loader])
  if (fault) throw fault
  return loaded?.by === loader ? loaded.component : undefined
}

/** Slot is a place on the page for a part that is loaded on its own, after what surrounds it, and that takes nothing along when it breaks. */
export function Slot<P extends object>({ of, ...props }: { of: Loader<P> } & P) {
  const [fault] = useErrorBoundary()
  if (fault) return <StateMark state="bad" label={t('load.fault', { message: String(fault) })} />
  return <Part of={of} props={props} />
}

function Part<P extends object>({ of, props }: { of: Loader<P>; props: object }) {
  const Loaded = useLoaded(of) as ComponentType<object> | undefined
  return Loaded ? <Loaded {...props} /> : null
}
