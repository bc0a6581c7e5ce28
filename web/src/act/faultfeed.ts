import { useEffect, useState } from 'preact/hooks'
import type { ApiError } from '../api/http'
import { readJSON } from '../api/read'
import { resources } from '../api/resource'
import { useObjects } from '../api/use'
import type { Fault } from './faultrequest'

/** Faults are the current faults. */
export interface Faults {
  readonly items: readonly Fault[]
  readonly error: ApiError | null
  readonly again: () => void
}

/**
 * useFaults reads the faults, again whenever the injector's Events show that one has started or
 * ended.
 */
export function useFaults(): Faults {
  const [items, setItems] = useState<readonly Fault[]>([])
  const [error, setError] = useState<ApiError | null>(null)
  const [asked, setAsked] = useState(0)
  const events = resources.value.get('events')
  const told = useObjects(events ? { resource: events, fields: 'source=fault-injector', at: null } : null)
  useEffect(() => {
    const stop = new AbortController()
    readJSON<{ items: Fault[] }>('/rowlock/v1/faults', { signal: stop.signal }).then(
      (list) => {
        setItems(list.items)
        setError(null)
      },
      (e: ApiError) => stop.signal.aborted || setError(e),
    )
    return () => stop.abort()
  }, [asked, told.changed])
  return { items, error, again: () => setAsked(asked + 1) }
}
