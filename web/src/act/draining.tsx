import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { ApiError } from '../api/http'
import { type Resource, resources } from '../api/resource'
import { useObjects } from '../api/use'
import { type Key, t } from '../i18n'
import { objectHref } from '../route'
import { Dialog } from '../ui/dialog'
import { StateMark } from '../ui/state'
import { Trouble } from '../ui/trouble'
import { type ActionProps, done } from './action'
import { cordon } from './cordon'
import { Drainer, type Step } from './drainer'
import { type DrainPod, type Plan, planDrain, type Verdict } from './drainplan'
import { HoldList, useHolds } from './holds'
import { Refusal } from './refusal'
import { evict } from './write'

/** Draining drains a node: it cordons the node and evicts its Pods. */
export function Draining(props: ActionProps) {
  const m = props.object.metadata
  const pods = resources.value.get('pods')
  const read = useObjects<DrainPod>(pods ? { resource: pods, fields: `spec.nodeName=${m.name}` } : null)
  const [unmanaged, setUnmanaged] = useState(false)
  const [emptyDir, setEmptyDir] = useState(false)
  const [error, setError] = useState<ApiError | null>(null)
  const [drainer, setDrainer] = useState<Drainer>()
  const latest = useRef<Drainer | undefined>(undefined)
  latest.current = drainer
  useEffect(() => () => latest.current?.stop(), [])
  const plan = useMemo(
    () =>
      planDrain(
        [...read.items.values()].map((i) => i.object),
        { unmanaged, emptyDir },
      ),
    [read.items, read.changed, unmanaged, emptyDir],
  )
  const holds = useHolds(plan.evict)
  const begin = async () => {
    if (!pods) return
    try {
      setError(null)
      await cordon(props, true)
    } catch (e) {
      setError(e as ApiError)
      return
    }
    const d = new Drainer(plan.evict, (pod, signal) => evict(pods, pod.metadata, signal))
    setDrainer(d)
    await d.run()
    if (!d.stopped) done(t('drain.done', { name: m.name }), props)
  }
  return (
    <Dialog title={t('drain.title', { name: m.name })} close={props.close} wide>
      <Trouble of={read} />
      <p>{t('drain.about')}</p>
      {!drainer && (
        <>
          <Verdicts plan={plan} />
          <HoldList holds={holds} />
          <label class="check">
            <input type="checkbox" checked={unmanaged} onChange={(e) => setUnmanaged(e.currentTarget.checked)} /> {t('drain.alsoUnmanaged')}
          </label>
          <label class="check">
            <input type="checkbox" checked={emptyDir} onChange={(e) => setEmptyDir(e.currentTarget.checked)} /> {t('drain.alsoEmptyDir')}
          </label>
        </>
      )}
      {drainer && pods && <Progress drainer={drainer} there={read.items} changed={read.changed} pods={pods} />}
      <Refusal error={error} />
      <div class="row end">
        <button type="button" onClick={props.close}>
          {t('action.close')}
        </button>
        {!drainer && (
          <button type="button" class="danger" disabled={read.phase !== 'live'} onClick={() => void begin()}>
            {t('act.drain')}
          </button>
        )}
        {drainer?.running.value && !drainer.stopped && (
          <button type="button" class="danger" onClick={() => drainer.stop()}>
            {t('drain.stop')}
          </button>
        )}
      </div>
    </Dialog>
  )
}

const words: readonly [Verdict, Key][] = [
  ['evict', 'drain.evict'],
  ['going', 'drain.going'],
  ['daemonset', 'drain.daemonset'],
  ['mirror', 'drain.mirror'],
  ['unmanaged', 'drain.unmanaged'],
  ['emptyDir', 'drain.emptyDir'],
]

/** Verdicts says how many Pods a drain would evict, and how many would stay for which reason. */
export function Verdicts({ plan }: { plan: Plan }) {
  return (
    <ul>
      {words.map(([verdict, key]) => {
        const n = plan[verdict].length
        return n === 0 && verdict !== 'evict' ? null : <li key={verdict}>{t(key, { n })}</li>
      })}
    </ul>
  )
}

/** How many blocked or refused evictions are listed. */
const listed = 50

/**
 * ProgressProps: `there` are the Pods still on the node; it is modified in place, which `changed`
 * signals.
 */
interface ProgressProps {
  readonly drainer: Drainer
  readonly there: ReadonlyMap<string, unknown>
  readonly changed: number
  readonly pods: Resource
}

function Progress({ drainer, there, pods }: ProgressProps) {
  void drainer.changed.value
  const steps = [...drainer.steps.values()]
  const gone = steps.filter((s) => s.state === 'told' && !there.has(s.pod.metadata.uid)).length
  const going = steps.filter((s) => s.state === 'told').length - gone
  const held = steps.filter((s) => s.state === 'blocked' || s.state === 'failed')
  return (
    <>
      <label class="field">
        <span role="status">
          {t('drain.progress', { n: gone, all: steps.length })} {going > 0 && t('drain.underWay', { n: going })}
        </span>
        <progress max={steps.length} value={gone} />
      </label>
      {drainer.stopped && <p class="notice warn">{t('drain.stopped')}</p>}
      {held.length > 0 && (
        <ul class="plain-list">
          {held.slice(0, listed).map((s) => (
            <HeldPod key={s.pod.metadata.uid} step={s} pods={pods} />
          ))}
          {held.length > listed && <li class="reason">{t('drain.more', { n: held.length - listed })}</li>}
        </ul>
      )}
    </>
  )
}

function HeldPod({ step, pods }: { step: Step; pods: Resource }) {
  const m = step.pod.metadata
  return (
    <li>
      <StateMark state={step.state === 'blocked' ? 'wait' : 'bad'} quiet />{' '}
      <a href={objectHref(pods.id, m.namespace, m.name)} target="_blank" rel="noreferrer">
        {m.namespace}/{m.name}
      </a>{' '}
      {t(step.state === 'blocked' ? 'drain.blocked' : 'drain.failed', { message: step.message ?? '' })}
    </li>
  )
}
