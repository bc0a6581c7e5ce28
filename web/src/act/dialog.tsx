import { useLoaded } from '../ui/slot'
import { doing } from './action'

/** ActionDialog is the dialog of the current action; the page has one. */
export function ActionDialog() {
  const open = doing.value
  const View = useLoaded(open?.action.dialog ?? none, open !== null)
  if (!open || !View) return null
  const close = () => {
    doing.value = null
  }
  return <View key={open.action.id + open.target.object.metadata.uid} {...open.target} close={close} />
}

const none = async () => () => null
