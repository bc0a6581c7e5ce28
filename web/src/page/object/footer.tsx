import { Occurrences } from './events'
import { Latest } from './latest'
import type { TabProps } from './tabprops'
import './object.css'

/** Footer shows an object's Events and its latest changes, below its first tab. */
export function Footer({ resource, object }: TabProps) {
  return (
    <div class="object footer">
      <Occurrences resource={resource} object={object} />
      <Latest resource={resource} object={object} />
    </div>
  )
}
