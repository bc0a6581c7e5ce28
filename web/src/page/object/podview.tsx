import { useMemo } from 'preact/hooks'
import { controllerOf } from '../../api/object'
import type { Pod } from '../../api/pod'
import { resourceOfKind, resources } from '../../api/resource'
import { selects } from '../../api/selector'
import { useObjects } from '../../api/use'
import { shownNow } from '../../clock/clock'
import { t } from '../../i18n'
import { objectHref } from '../../route'
import { StateMark } from '../../ui/state'
import { podVerdict } from '../../verdict/pod'
import { ContainerCard } from './containercard'
import { containersOf, sentenceOf } from './containers'
import { LastWords } from './lastwords'
import { Metrics } from './metrics'
import { plainMessage } from './occurrences'
import { Facts, Grid, Part, Ref } from './parts'
import type { Service } from './service'
import type { TabProps } from './tabprops'
import { volumeOf } from './volumes'

/**
 * PodView is a Pod's page: its problem first, then its containers, and what it is connected with.
 */
export function PodView({ resource, object }: TabProps) {
  const pod = object as Pod
  const containers = containersOf(pod)
  const { namespace = '', name } = pod.metadata
  const logs = objectHref(resource.id, namespace, name, 'log')
  return (
    <>
      <Matter pod={pod} logs={logs} />
      <Placement pod={pod} />
      <div class="cards">
        {containers.map((c) => (
          <ContainerCard key={`${c.role} ${c.spec.name}`} of={c} pod={pod} />
        ))}
      </div>
      <Metrics pod={pod} />
      <Services pod={pod} />
      <Volumes pod={pod} />
    </>
  )
}

/** Matter describes the Pod's state in one sentence, with the last words of its container. */
function Matter({ pod, logs }: { pod: Pod; logs: string }) {
  const said = sentenceOf(pod, shownNow.value)
  const { namespace = '', name } = pod.metadata
  const verdict = podVerdict(pod, shownNow.value)
  return (
    <div class="matter">
      <p role="status">
        <StateMark state={verdict.state} /> <b>{verdict.word}</b>
        {' · '}
        {t(said.key, said.values)} {said.detail !== '' && <span class="faint">{plainMessage(said.detail).slice(0, 1000)}</span>}
      </p>
      {said.container !== undefined && <LastWords pod={pod} container={said.container} />}
      <p class="ways">
        <a href={logs}>{t('tab.log')}</a>
        <a href={objectHref('pods', namespace, name, 'terminal')}>{t('tab.terminal')}</a>
      </p>
    </div>
  )
}

function Placement({ pod }: { pod: Pod }) {
  const { spec = {}, status = {}, metadata } = pod
  const owner = controllerOf(metadata)
  const ownerKind = owner && resourceOfKind(owner.apiVersion, owner.kind)
  const ips = (status.podIPs ?? []).map((p) => p.ip ?? '').filter(Boolean)
  return (
    <Part title={t('object.placement')}>
      <Facts
        of={[
          [
            t('field.owner'),
            owner && (
              <>
                {owner.kind} {ownerKind ? <Ref to={ownerKind.id} namespace={metadata.namespace} name={owner.name} /> : owner.name}
              </>
            ),
          ],
          [t('object.node'), spec.nodeName && <Ref to="nodes" name={spec.nodeName} />],
          ['IP', ips.length > 0 ? ips.join(', ') : status.podIP],
          [t('object.nodeIP'), status.hostIP],
          [
            'ServiceAccount',
            spec.serviceAccountName && <Ref to="serviceaccounts" namespace={metadata.namespace} name={spec.serviceAccountName} />,
          ],
          ['PriorityClass', spec.priorityClassName && <Ref to="priorityclasses.scheduling.k8s.io" name={spec.priorityClassName} />],
          [t('object.restartPolicy'), spec.restartPolicy],
          ['QoS', status.qosClass],
        ]}
      />
    </Part>
  )
}

/** Services lists the Services whose selector matches the Pod. */
function Services({ pod }: { pod: Pod }) {
  const resource = resources.value.get('services')
  const read = useObjects<Service>(resource ? { resource, namespace: pod.metadata.namespace } : null)
  const found = useMemo(
    () =>
      [...read.items.values()]
        .map((w) => w.object)
        .filter(
          (s) => Object.keys(s.spec?.selector ?? {}).length > 0 && selects({ matchLabels: s.spec?.selector ?? {} }, pod.metadata.labels),
        ),
    [read.items, read.changed, pod.metadata.labels],
  )
  if (found.length === 0) return null
  return (
    <Part title={t('object.services')}>
      <Grid
        head={[t('field.name'), t('object.type'), t('net.ports')]}
        rows={found.map((s) => [
          <Ref key="name" to="services" namespace={s.metadata.namespace} name={s.metadata.name} />,
          s.spec?.type ?? 'ClusterIP',
          (s.spec?.ports ?? []).map((p) => `${p.port}/${p.protocol ?? 'TCP'}`).join(', '),
        ])}
      />
    </Part>
  )
}

function Volumes({ pod }: { pod: Pod }) {
  const all = (pod.spec?.volumes ?? []).map((v) => volumeOf(v, pod.metadata.name))
  if (all.length === 0) return null
  return (
    <Part title={t('object.volumes')}>
      <Grid
        head={[t('field.name'), t('object.type'), t('object.source')]}
        rows={all.map((v) => [
          v.name,
          v.type,
          <>
            {v.from.map((f) => (
              <span key={`${f.kind} ${f.name}`}>
                {f.kind} <Ref to={f.resource} namespace={pod.metadata.namespace} name={f.name} />{' '}
              </span>
            ))}
            {v.detail}
          </>,
        ])}
      />
    </Part>
  )
}
