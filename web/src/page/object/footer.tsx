import { Occurrences } from './events'
import { Latest } from './latest'
import type { TabProps } from './tabprops'
import './object.css'

/** Footer is what stands below the first view of any object: its Events and its latest changes. */
export function Footer({ resource, object }: TabProps) {
  return (
    <div class="object footer">
      <Occurrences resource={resource} object={object} />
      <Latest resource={resource} object={object} />
    </div>
  )
}
