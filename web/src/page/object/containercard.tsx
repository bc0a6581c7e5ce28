import type { ComponentChildren } from 'preact'
import type { ContainerState, Pod } from '../../api/pod'
import { formatNumber, t } from '../../i18n'
import { objectHref } from '../../route'
import { Age } from '../../ui/age'
import { StateMark } from '../../ui/state'
import { type ContainerView, probeText, type Variable, variablesOf, wordOf } from './containers'
import { plainMessage } from './occurrences'
import { Facts, Ref } from './parts'

/** ContainerCard shows one container: its state, last state and configuration. */
export function ContainerCard({ of: c, pod }: { of: ContainerView; pod: Pod }) {
  const { spec, status } = c
  const { namespace = '', name } = pod.metadata
  const environment = variablesOf(spec)
  const command = [...(spec.command ?? []), ...(spec.args ?? [])].join(' ')
  return (
    <section class="part container" aria-label={t('object.container', { name: spec.name })}>
      <h2>
        <StateMark state={c.state} /> {spec.name} {c.role !== 'main' && <span class="badge">{t(`object.${c.role}`)}</span>}
        <a class="log" href={`${objectHref('pods', namespace, name, 'log')}`}>
          {t('tab.log')}
        </a>
      </h2>
      <Facts
        of={[
          [t('object.image'), <code key="image">{spec.image}</code>],
          [t('object.state'), status && <StateText of={status.state} word={c.word} />],
          [t('object.lastState'), status?.lastState?.terminated && <StateText of={status.lastState} word={wordOf(status.lastState)} />],
          [t('object.restarts'), status && formatNumber(status.restartCount ?? 0)],
          [t('object.command'), command !== '' && <code>{command.slice(0, 1000)}</code>],
          [t('net.ports'), spec.ports?.map((p) => `${p.name ? `${p.name} ` : ''}${p.containerPort}/${p.protocol ?? 'TCP'}`).join(', ')],
          [t('object.requests'), amounts(spec.resources?.requests)],
          [t('object.limits'), amounts(spec.resources?.limits)],
          ['livenessProbe', spec.livenessProbe && <code>{probeText(spec.livenessProbe)}</code>],
          ['readinessProbe', spec.readinessProbe && <code>{probeText(spec.readinessProbe)}</code>],
          ['startupProbe', spec.startupProbe && <code>{probeText(spec.startupProbe)}</code>],
          [t('object.mounts'), (spec.volumeMounts?.length ?? 0) > 0 && <Mounts of={c} />],
          [t('object.environment'), environment.length > 0 && <Environment all={environment} namespace={pod.metadata.namespace} />],
        ]}
      />
    </section>
  )
}

const amounts = (of: Readonly<Record<string, string>> | undefined): string =>
  Object.entries(of ?? {})
    .map(([name, value]) => `${name} ${value}`)
    .join(', ')

/** StateText shows a state with its start and how it ended. */
function StateText({ of, word }: { of: ContainerState | undefined; word: string }) {
  const { running, terminated, waiting } = of ?? {}
  const parts: ComponentChildren[] = [<b key="word">{word}</b>]
  if (running?.startedAt) parts.push(' · ', <Age key="since" since={running.startedAt} />)
  if (terminated) {
    parts.push(' · ', t('overview.exitCode', { code: terminated.exitCode }))
    if (terminated.finishedAt) parts.push(' ', <Age key="since" since={terminated.finishedAt} />)
  }
  const message = waiting?.message ?? terminated?.message
  return (
    <>
      {parts} {message && <span class="faint">{plainMessage(message).slice(0, 1000)}</span>}
    </>
  )
}

function Mounts({ of: c }: { of: ContainerView }) {
  return (
    <ul class="pairs">
      {(c.spec.volumeMounts ?? []).map((m) => (
        <li key={m.mountPath}>
          <code>{m.mountPath}</code> {m.name}
          {m.subPath ? `/${m.subPath}` : ''} {m.readOnly && <span class="faint">(ro)</span>}
        </li>
      ))}
    </ul>
  )
}

/** mostVariables is how many environment variables are shown at first. */
const mostVariables = 12

function Environment({ all, namespace }: { all: readonly Variable[]; namespace: string | undefined }) {
  const list = (some: readonly Variable[]) => (
    <ul class="pairs">
      {some.map((v, i) => (
        <li key={i}>
          <b>{v.name}</b>=
          {v.from ? (
            <span class="faint">
              {v.from.kind} <Ref to={v.from.resource} namespace={namespace} name={v.from.name} />
              {v.from.key !== '' && ` ${v.from.key}`}
            </span>
          ) : (
            v.value.slice(0, 500)
          )}
        </li>
      ))}
    </ul>
  )
  if (all.length <= mostVariables) return list(all)
  return (
    <details>
      <summary>{t('object.variables', { n: all.length })}</summary>
      {list(all.slice(0, 500))}
    </details>
  )
}
