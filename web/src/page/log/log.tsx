import type { TabProps } from '../object/tabprops'
import type { Pod } from './container'
import { View } from './view'

/** Logs shows the logs of a Pod's containers and follows them. */
export function Logs({ object }: TabProps) {
  const pod = object as Pod
  return <View of={pod.metadata.uid} name={pod.metadata.name} pods={[pod]} several={false} />
}
