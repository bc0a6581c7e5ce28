import { useEffect } from 'preact/hooks'
import { askAccess, may } from '../act/may'

/**
 * useMay reports whether the user may call one of Rowlock's own operations; true if that is
 * unknown, because the attempt will show.
 */
export function useMay(verb: 'post' | 'put' | 'delete', path: string): boolean {
  const access = [{ verb, path }]
  useEffect(() => void askAccess(access), [verb, path])
  return may(access) !== false
}
