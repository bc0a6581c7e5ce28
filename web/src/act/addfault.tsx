import { useState } from 'preact/hooks'
import { getJSON } from '../api/http'
import { resources } from '../api/resource'
import { useTable } from '../api/use'
import { t } from '../i18n'
import { namespaceShown } from '../shell/namespace'
import { toast } from '../ui/toast'
import { Confirm } from './confirm'
import {
  type APIForm,
  apiEffects,
  apiRequestOf,
  type Fault,
  type FaultForm,
  type FaultKind,
  type FaultRequest,
  lasting,
  nodeStates,
  podActions,
  requestOf,
} from './faultrequest'
import { sentenceOf } from './faultwords'

const targets = ['pods', 'node', 'image', 'api'] as const
type Target = (typeof targets)[number]

/** AddFault is the form that makes Pods, a node, an image or the API fail, whichever page one comes from. */
export function AddFault({ close, again }: { close: () => void; again: () => void }) {
  const [target, setTarget] = useState<Target>('pods')
  const [form, setForm] = useState<FaultForm>({
    kind: 'crashloop',
    namespace: namespaceShown() || 'default',
    name: '',
    selector: '',
    container: '',
    image: '',
    exitCode: '',
    span: '5m',
  })
  const [api, setAPI] = useState<APIForm>({
    effect: 'error',
    verbs: '',
    resources: '',
    namespaces: '',
    status: '503',
    delay: '2s',
    percent: '',
    span: '1m',
  })
  const set = (change: Partial<FaultForm>) => setForm({ ...form, ...change })
  const choose = (to: Target) => {
    setTarget(to)
    set({ kind: to === 'node' ? 'unreachable' : to === 'image' ? 'pull' : 'crashloop', name: '', selector: '' })
  }
  const run = async () => {
    const body: FaultRequest = target === 'api' ? apiRequestOf(api) : requestOf(form)
    const made = await getJSON<Fault>('/rowlock/v1/faults', { method: 'POST', body })
    toast({ state: 'ok', text: t('fault.made', { summary: sentenceOf(made) }) })
    again()
  }
  return (
    <Confirm title={t('fault.add')} submit={t('fault.submit')} close={close} run={run} danger>
      <label class="field">
        {t('fault.target')}
        <select value={target} onChange={(e) => choose(e.currentTarget.value as Target)}>
          {targets.map((one) => (
            <option key={one} value={one}>
              {t(`fault.target.${one}`)}
            </option>
          ))}
        </select>
      </label>
      {target === 'api' ? (
        <Requests form={api} set={(change) => setAPI({ ...api, ...change })} />
      ) : (
        <Things target={target} form={form} set={set} />
      )}
    </Confirm>
  )
}

function Text(p: { label: string; value: string; set: (text: string) => void; placeholder?: string; about?: string; list?: string }) {
  return (
    <label class="field">
      {p.label}
      <input value={p.value} list={p.list} spellcheck={false} placeholder={p.placeholder} onInput={(e) => p.set(e.currentTarget.value)} />
      {p.about && <small class="reason">{p.about}</small>}
    </label>
  )
}

/** Names offers the names of the objects of a kind. */
function Names({ id, of, namespace }: { id: string; of: string; namespace?: string }) {
  const resource = resources.value.get(of)
  const all = useTable(resource ? { resource, namespace, at: null } : null)
  const names = [...all.items.values()].map((r) => r.meta.name).sort()
  return (
    <datalist id={id}>
      {names.slice(0, 200).map((n) => (
        <option key={n} value={n} />
      ))}
    </datalist>
  )
}

function Things({ target, form, set }: { target: Target; form: FaultForm; set: (change: Partial<FaultForm>) => void }) {
  const kinds: readonly FaultKind[] = target === 'node' ? nodeStates : target === 'image' ? ['pull'] : podActions
  return (
    <>
      {target === 'pods' && (
        <>
          <Text label={t('field.namespace')} value={form.namespace} set={(namespace) => set({ namespace })} />
          <Text label={t('fault.podName')} value={form.name} set={(name) => set({ name })} list="fault-pods" />
          <Names id="fault-pods" of="pods" namespace={form.namespace} />
          {form.name === '' && (
            <Text label={t('fault.selector')} value={form.selector} set={(selector) => set({ selector })} placeholder="app=web" />
          )}
        </>
      )}
      {target === 'node' && (
        <>
          <Text label={t('fault.target.node')} value={form.name} set={(name) => set({ name })} list="fault-nodes" />
          <Names id="fault-nodes" of="nodes" />
        </>
      )}
      {target === 'image' && <Text label={t('fault.image')} value={form.image} set={(image) => set({ image })} placeholder="nginx:1.29" />}
      {kinds.length > 1 && (
        <label class="field">
          {t('fault.what')}
          <select value={form.kind} onChange={(e) => set({ kind: e.currentTarget.value as FaultKind })}>
            {kinds.map((k) => (
              <option key={k} value={k}>
                {t(`fault.${k}`)}
              </option>
            ))}
          </select>
          <small class="reason">{t(`fault.${form.kind}.about`)}</small>
        </label>
      )}
      {(form.kind === 'exit' || form.kind === 'crashloop') && (
        <Text label={t('fault.exitCode')} value={form.exitCode} set={(exitCode) => set({ exitCode })} placeholder="1" />
      )}
      {lasting(form.kind) && (
        <Text
          label={t('fault.for')}
          value={form.span}
          set={(span) => set({ span })}
          placeholder={t('fault.untilLifted')}
          about={t('fault.forAbout')}
        />
      )}
    </>
  )
}

function Requests({ form, set }: { form: APIForm; set: (change: Partial<APIForm>) => void }) {
  return (
    <>
      <label class="field">
        {t('fault.what')}
        <select value={form.effect} onChange={(e) => set({ effect: e.currentTarget.value as APIForm['effect'] })}>
          {apiEffects.map((one) => (
            <option key={one} value={one}>
              {t(`fault.effect.${one}`)}
            </option>
          ))}
        </select>
      </label>
      {form.effect === 'error' && (
        <Text label={t('fault.status')} value={form.status} set={(status) => set({ status })} placeholder="503" />
      )}
      {form.effect === 'delay' && <Text label={t('fault.delay')} value={form.delay} set={(delay) => set({ delay })} placeholder="2s" />}
      <Text
        label={t('fault.verbs')}
        value={form.verbs}
        set={(verbs) => set({ verbs })}
        placeholder="get, list"
        about={t('fault.emptyAll')}
      />
      <Text
        label={t('fault.resources')}
        value={form.resources}
        set={(all) => set({ resources: all })}
        placeholder="pods, deployments.apps"
      />
      <Text label={t('fault.namespaces')} value={form.namespaces} set={(namespaces) => set({ namespaces })} placeholder="default" />
      <Text label={t('fault.percent')} value={form.percent} set={(percent) => set({ percent })} placeholder="100" />
      <Text
        label={t('fault.for')}
        value={form.span}
        set={(span) => set({ span })}
        placeholder={t('fault.untilLifted')}
        about={t('fault.realTime')}
      />
    </>
  )
}
