import { useState } from 'preact/hooks'
import { getJSON } from '../api/http'
import { fullName, type KubeObject } from '../api/object'
import { selectorOf } from '../api/selector'
import { t } from '../i18n'
import { href } from '../route'
import { toast } from '../ui/toast'
import type { ActionProps } from './action'
import { Confirm } from './confirm'
import { useFaults } from './faultfeed'
import { type Fault, type FaultForm, type FaultKind, lasting, nodeStates, podActions, requestOf } from './faultrequest'
import { FaultList } from './faults'

interface Selecting extends KubeObject {
  readonly spec: {
    readonly containers?: readonly { readonly name: string; readonly image?: string }[]
    readonly template?: { readonly spec?: { readonly containers?: readonly { readonly name: string; readonly image?: string }[] } }
  }
}

const textOf = (labels: Readonly<Record<string, string>> = {}): string =>
  Object.entries(labels)
    .map(([k, v]) => `${k}=${v}`)
    .join(',')

/** Fail is the dialog that injects a fault into a Pod, the Pods of a workload or a node. */
export function Fail(props: ActionProps) {
  const { resource, close } = props
  const object = props.object as Selecting
  const m = object.metadata
  const node = resource.id === 'nodes'
  const pod = resource.id === 'pods'
  const containers = object.spec.containers ?? object.spec.template?.spec?.containers ?? []
  const [form, setForm] = useState<FaultForm>({
    kind: node ? 'unreachable' : 'crashloop',
    namespace: m.namespace ?? '',
    name: pod || node ? m.name : '',
    selector: node ? '' : textOf(selectorOf(object).matchLabels),
    container: '',
    image: containers[0]?.image ?? '',
    exitCode: '',
    span: '5m',
  })
  const set = (change: Partial<FaultForm>) => setForm({ ...form, ...change })
  const kinds: readonly FaultKind[] = node ? nodeStates : [...podActions, 'pull']
  const faults = useFaults()
  const run = async () => {
    const made = await getJSON<Fault>('/rowlock/v1/faults', { method: 'POST', body: requestOf(form) })
    toast({ state: 'ok', text: t('fault.made', { summary: made.summary }), link: { href: faultsHref(), text: t('fault.all') } })
  }
  const contained = ['exit', 'oom', 'crashloop'].includes(form.kind)
  return (
    <Confirm title={t('fault.title', { kind: resource.kind, name: fullName(m) })} submit={t('fault.submit')} close={close} run={run} danger>
      <fieldset class="choice faults">
        <legend>{t('fault.what')}</legend>
        {kinds.map((kind) => (
          <label key={kind}>
            <input type="radio" name="fault" checked={form.kind === kind} onChange={() => set({ kind })} />
            <span>{t(`fault.${kind}`)}</span>
            <small>{t(`fault.${kind}.about`)}</small>
          </label>
        ))}
      </fieldset>
      {!node && !pod && form.kind !== 'pull' && (
        <label class="field">
          {t('fault.selector')}
          <input value={form.selector} spellcheck={false} onInput={(e) => set({ selector: e.currentTarget.value })} />
        </label>
      )}
      {form.kind === 'pull' && (
        <label class="field">
          {t('fault.image')}
          <input value={form.image} spellcheck={false} onInput={(e) => set({ image: e.currentTarget.value })} />
        </label>
      )}
      {contained && pod && containers.length > 1 && (
        <label class="field">
          {t('fault.container')}
          <select value={form.container} onChange={(e) => set({ container: e.currentTarget.value })}>
            <option value="">{t('fault.everyContainer')}</option>
            {containers.map((c) => (
              <option key={c.name}>{c.name}</option>
            ))}
          </select>
        </label>
      )}
      {(form.kind === 'exit' || form.kind === 'crashloop') && (
        <label class="field">
          {t('fault.exitCode')}
          <input
            type="number"
            min="0"
            max="255"
            value={form.exitCode}
            placeholder="1"
            onInput={(e) => set({ exitCode: e.currentTarget.value })}
          />
        </label>
      )}
      {lasting(form.kind) && (
        <label class="field">
          {t('fault.for')}
          <input
            value={form.span}
            spellcheck={false}
            placeholder={t('fault.untilLifted')}
            onInput={(e) => set({ span: e.currentTarget.value })}
          />
          <small class="reason">{t('fault.forAbout')}</small>
        </label>
      )}
      <FaultList faults={faults} only={(f) => concerns(f, form, m.name)} />
    </Confirm>
  )
}

/** concerns reports whether a fault affects the form's target. */
function concerns(f: Fault, form: FaultForm, name: string): boolean {
  if (f.node) return f.node.name === name
  if (f.image) return f.image.image === form.image
  return f.pod?.namespace === form.namespace && (f.pod.name === name || (form.selector !== '' && f.pod.selector === form.selector))
}

/** faultsHref is the address of the faults page. */
export const faultsHref = (): string => href({ page: 'other', name: 'faults', query: {} })
