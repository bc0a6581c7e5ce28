import type { ComponentType } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { t } from '../i18n'
import { route } from '../route'

type Loader = () => Promise<ComponentType>

/** pages are loaded when somebody goes there. */
const overview: Loader = () => import('../page/overview/overview').then((m) => m.Overview)
const table: Loader = () => import('../page/table/table').then((m) => m.Table)
const object: Loader = () => import('../page/object/object').then((m) => m.ObjectPage)

/** others are the pages that are not about one kind, by the names in their addresses. */
const others: Readonly<Record<string, Loader>> = {}

function loaderOf(): Loader {
  const r = route.value
  switch (r.page) {
    case 'overview':
      return overview
    case 'table':
      return table
    case 'object':
      return object
    case 'other':
      return others[r.name] ?? overview
  }
}

/** Main is the page that the address names. */
export function Main() {
  const loader = loaderOf()
  const Page = useLoaded(loader)
  return Page ? <Page /> : <p class="notice">{t('load.loading')}</p>
}

/** useLoaded is a component that is loaded when it is first needed; undefined until it is there. */
export function useLoaded<P>(loader: () => Promise<ComponentType<P>>): ComponentType<P> | undefined {
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
