import { useMemo } from 'preact/hooks'
import type { Autoscaler } from '../../api/autoscaler'
import type { Budget } from '../../api/budget'
import type { KubeObject } from '../../api/object'
import { resources } from '../../api/resource'
import { useObjects } from '../../api/use'
import { t } from '../../i18n'
import { objectHref } from '../../route'
import { StateMark } from '../../ui/state'
import { autoscalerVerdict, budgetVerdict } from '../../verdict/bounds'
import { phaseVerdict } from '../../verdict/phase'
import type { TabProps } from '../object/tabprops'
import { aroundOf, type Claim, claimNames, type Ingress, type Service } from './around'
import { Card } from './branch'

/**
 * most is how many claims are shown: a StatefulSet may have thousands, which its own page lists by
 * ordinal.
 */
const most = 12

/** useAll reads the objects of a kind in a namespace, if wanted and served. */
function useAll<O extends KubeObject>(id: string, namespace: string, wanted = true) {
  const resource = resources.value.get(id)
  const read = useObjects<O>(resource && wanted ? { resource, namespace } : null)
  const all = useMemo(() => [...read.items.values()].map((w) => w.object), [read.items, read.changed])
  return { all, known: !resource || !wanted || read.phase === 'live' || read.phase === 'past' }
}

/**
 * Connected shows the objects around a family: what sends it requests, protects or scales it, and
 * what it reads.
 */
export function Connected({ resource, object }: TabProps) {
  const namespace = object.metadata.namespace ?? ''
  const { kind } = resource
  const services = useAll<Service>('services', namespace)
  const ingresses = useAll<Ingress>('ingresses.networking.k8s.io', namespace, services.all.length > 0)
  const budgets = useAll<Budget>('poddisruptionbudgets.policy', namespace)
  const autoscalers = useAll<Autoscaler>('horizontalpodautoscalers.autoscaling', namespace)
  const claims = useAll<Claim>('persistentvolumeclaims', namespace, claimNames(kind, object).size > 0)
  const around = aroundOf(kind, object, {
    services: services.all,
    ingresses: ingresses.all,
    budgets: budgets.all,
    autoscalers: autoscalers.all,
    claims: claims.all,
  })
  const missing = services.known ? around.missing : ''
  const { length } = [...around.services, ...around.budgets, ...around.autoscalers, ...around.claims, ...around.references]
  if (length === 0 && missing === '') return null
  return (
    <section class="around" aria-labelledby="around">
      <h2 id="around">{t('tree.around')}</h2>
      {missing !== '' && (
        <p>
          <StateMark state="warn" quiet /> {t('tree.missingService', { name: missing })}
        </p>
      )}
      <ul class="cards">
        {around.ingresses.map((i) => (
          <li key={i.metadata.uid}>
            <Card resource="ingresses.networking.k8s.io" kind="Ingress" meta={i.metadata} state="ok" here={false}>
              <span>{hostsText(i)}</span>
            </Card>
          </li>
        ))}
        {around.services.map((s) => (
          <li key={s.metadata.uid}>
            <Card resource="services" kind="Service" meta={s.metadata} state="ok" here={false}>
              <span>{serviceText(s)}</span>
            </Card>
          </li>
        ))}
        {around.budgets.map((b) => (
          <li key={b.metadata.uid}>
            <Card
              resource="poddisruptionbudgets.policy"
              kind="PodDisruptionBudget"
              meta={b.metadata}
              state={budgetVerdict(b).state}
              here={false}
            >
              <span>{t('tree.allows', { n: b.status?.disruptionsAllowed ?? 0 })}</span>
            </Card>
          </li>
        ))}
        {around.autoscalers.map((h) => (
          <li key={h.metadata.uid}>
            <Card
              resource="horizontalpodautoscalers.autoscaling"
              kind="HorizontalPodAutoscaler"
              meta={h.metadata}
              state={autoscalerVerdict(h).state}
              here={false}
            >
              <span>{t('tree.scales', { least: h.spec?.minReplicas ?? 1, most: h.spec?.maxReplicas ?? 1 })}</span>
            </Card>
          </li>
        ))}
        {around.claims.slice(0, most).map((c) => (
          <li key={c.metadata.uid}>
            <Card
              resource="persistentvolumeclaims"
              kind="PersistentVolumeClaim"
              meta={c.metadata}
              state={phaseVerdict('persistentvolumeclaims', c).state}
              here={false}
            >
              <span>{c.status?.capacity?.storage ?? c.status?.phase ?? ''}</span>
            </Card>
          </li>
        ))}
        {around.references.map((r) => (
          <li key={`${r.resource}/${r.name}`}>
            <div class="card">
              <small>{r.kind}</small>
              <a class="name" href={objectHref(r.resource, namespace, r.name)}>
                <bdi>{r.name}</bdi>
              </a>
              <code class="facts-line">{r.by.join(', ')}</code>
            </div>
          </li>
        ))}
      </ul>
      {around.claims.length > most && <p>{t('tree.moreClaims', { n: around.claims.length - most })}</p>}
    </section>
  )
}

/** serviceText returns the addresses of a Service. */
function serviceText(s: Service): string {
  const ports = (s.spec?.ports ?? []).map((p) => `${p.port}/${p.protocol ?? 'TCP'}`).join(', ')
  return [s.spec?.type ?? 'ClusterIP', s.spec?.clusterIP === 'None' ? 'None' : '', ports].filter((w) => w !== '').join(' · ')
}

/** mostHosts is how many hosts of an Ingress are listed. */
const mostHosts = 3

/** hostsText returns the hosts of an Ingress. */
function hostsText(i: Ingress): string {
  const hosts = [...new Set((i.spec?.rules ?? []).map((r) => r.host ?? '*'))]
  return hosts.slice(0, mostHosts).join(', ') + (hosts.length > mostHosts ? ', …' : '')
}
