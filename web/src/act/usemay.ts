import { useEffect } from 'preact/hooks'
import { askAccess, may } from '../act/may'

/** useMay asks whether the person may do something with an operation of Rowlock's own; where it is not known, the attempt will tell. */
export function useMay(verb: 'post' | 'put' | 'delete', path: string): boolean {
  const access = [{ verb, path }]
  useEffect(() => void askAccess(access), [verb, path])
  return may(access) !== false
}
