import { useMemo } from 'preact/hooks'
import { resources } from '../../api/resource'
import { useObjects } from '../../api/use'
import { t } from '../../i18n'
import { tableHref } from '../../route'
import { StateMark } from '../../ui/state'
import { Facts, Grid, Part, Ref } from './parts'
import { type EndpointSlice, endpointsOf, type Service } from './service'
import type { TabProps } from './tabprops'

/** most is how many endpoints are listed. */
const most = 100

/** ServiceView is a Service's page: its addresses and its endpoints with their states. */
export function ServiceView({ object }: TabProps) {
  const service = object as Service
  const { name, namespace } = service.metadata
  const resource = resources.value.get('endpointslices.discovery.k8s.io')
  const read = useObjects<EndpointSlice>(resource ? { resource, namespace, labels: `kubernetes.io/service-name=${name}` } : null)
  const all = useMemo(() => endpointsOf([...read.items.values()].map((w) => w.object)), [read.items, read.changed])
  const there = read.phase === 'live' || read.phase === 'past'
  const ready = all.filter((e) => e.is === 'ready').length
  return (
    <>
      {there && service.spec?.type !== 'ExternalName' && (
        <div class="matter">
          <p role="status">
            <StateMark state={ready > 0 ? 'ok' : 'wait'} quiet />{' '}
            {all.length === 0 ? t('object.noEndpoints') : t('object.endpointsReady', { ready, n: all.length })}
          </p>
        </div>
      )}
      <About of={service} />
      <Part title={t('net.ports')}>
        <Grid
          head={[t('field.name'), t('net.port'), 'targetPort', 'nodePort']}
          rows={(service.spec?.ports ?? []).map((p) => [
            p.name ?? '',
            `${p.port}/${p.protocol ?? 'TCP'}`,
            p.targetPort ?? '',
            p.nodePort ?? '',
          ])}
        />
      </Part>
      <Part title={t('object.endpoints')} wide>
        <Grid
          head={[t('object.address'), t('object.state'), t('net.ports'), 'Pod', t('object.node')]}
          empty={there ? t('object.noEndpoints') : t('load.loading')}
          rows={all.slice(0, most).map((e) => [
            <code key="address">{e.addresses}</code>,
            <span key="state">
              <StateMark state={e.is === 'ready' ? 'ok' : e.is === 'terminating' ? 'going' : 'busy'} quiet /> {t(`object.${e.is}`)}
            </span>,
            e.ports,
            <Ref key="pod" to="pods" namespace={namespace} name={e.pod} />,
            <Ref key="node" to="nodes" name={e.node} />,
          ])}
        />
        {all.length > most && <p class="faint">{t('overview.more', { n: all.length - most })}</p>}
      </Part>
    </>
  )
}

function About({ of: { spec = {}, status, metadata } }: { of: Service }) {
  const selector = Object.entries(spec.selector ?? {})
    .map(([k, v]) => `${k}=${v}`)
    .join(',')
  const outside = (status?.loadBalancer?.ingress ?? []).map((i) => i.ip ?? i.hostname ?? '').join(', ')
  return (
    <Part title={t('object.aboutService')}>
      <Facts
        of={[
          [t('object.type'), spec.type ?? 'ClusterIP'],
          ['clusterIP', (spec.clusterIPs ?? [spec.clusterIP]).join(', ')],
          ['externalName', spec.externalName],
          ['loadBalancer', outside],
          [
            t('object.selector'),
            selector !== '' && <a href={tableHref('pods', { ns: metadata.namespace ?? '', l: selector })}>{selector}</a>,
          ],
          ['sessionAffinity', spec.sessionAffinity],
          ['externalTrafficPolicy', spec.externalTrafficPolicy],
          ['internalTrafficPolicy', spec.internalTrafficPolicy],
        ]}
      />
    </Part>
  )
}
