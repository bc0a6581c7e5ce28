import type { Pod } from '../../api/pod'
import type { Problem } from './problem'

/** most is for how many problems images are kept: the ones read last. */
const most = 200

const known = new Map<string, readonly string[]>()

/** noteImages stores the images of a Pod that has been read, by the id of its problem. */
export function noteImages(id: string, pod: Pod): void {
  known.delete(id)
  known.set(
    id,
    [...(pod.spec?.initContainers ?? []), ...(pod.spec?.containers ?? [])].flatMap((c) => c.image ?? []),
  )
  const [first] = known.keys()
  if (known.size > most && first !== undefined) known.delete(first)
}

/**
 * withImages adds the images of Pods without a template, if such a Pod has been read: rows do not
 * contain them.
 */
export function withImages(p: Problem): Problem {
  const images = p.pods?.images.length === 0 ? known.get(p.id) : undefined
  return p.pods && images ? { ...p, pods: { ...p.pods, images } } : p
}
