import type { Pod } from '../../api/pod'
import type { Problem } from './problem'

/** most is of how many problems the images are kept: those read last. */
const most = 200

const known = new Map<string, readonly string[]>()

/** noteImages keeps the images of a Pod that has been read, by the id of its problem. */
export function noteImages(id: string, pod: Pod): void {
  known.delete(id)
  known.set(
    id,
    [...(pod.spec?.initContainers ?? []), ...(pod.spec?.containers ?? [])].flatMap((c) => c.image ?? []),
  )
  const [first] = known.keys()
  if (known.size > most && first !== undefined) known.delete(first)
}

/** withImages adds the images of Pods that nothing has made from a template, as far as such a Pod has been read: their rows do not have them. */
export function withImages(p: Problem): Problem {
  const images = p.pods?.images.length === 0 ? known.get(p.id) : undefined
  return p.pods && images ? { ...p, pods: { ...p.pods, images } } : p
}
