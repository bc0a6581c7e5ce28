import type { TabProps } from '../object/tabprops'
import type { Pod } from './container'
import { View } from './view'

/** Logs shows what a Pod's containers write, as they write it. */
export function Logs({ object }: TabProps) {
  const pod = object as Pod
  return <View of={pod.metadata.uid} name={pod.metadata.name} pods={[pod]} several={false} />
}
