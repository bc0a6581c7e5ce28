import type { KubeObject } from '../../api/object'
import { t } from '../../i18n'
import { Facts, Grid, Part, Ref } from './parts'
import type { TabProps } from './tabprops'

interface Backend {
  readonly service?: { readonly name: string; readonly port?: { readonly number?: number; readonly name?: string } }
  readonly resource?: { readonly kind: string; readonly name: string }
}

interface Ingress extends KubeObject {
  readonly spec?: {
    readonly ingressClassName?: string
    readonly defaultBackend?: Backend
    readonly tls?: readonly { readonly hosts?: readonly string[]; readonly secretName?: string }[]
    readonly rules?: readonly {
      readonly host?: string
      readonly http?: { readonly paths?: readonly { readonly path?: string; readonly pathType?: string; readonly backend: Backend }[] }
    }[]
  }
  readonly status?: { readonly loadBalancer?: { readonly ingress?: readonly { readonly ip?: string; readonly hostname?: string }[] } }
}

/** IngressView is an Ingress's page: its rules and backends. */
export function IngressView({ object }: TabProps) {
  const { spec = {}, status, metadata } = object as Ingress
  const to = (b: Backend) =>
    b.service ? (
      <>
        <Ref to="services" namespace={metadata.namespace} name={b.service.name} />:{b.service.port?.name ?? b.service.port?.number ?? ''}
      </>
    ) : (
      `${b.resource?.kind ?? ''} ${b.resource?.name ?? ''}`
    )
  const rules = (spec.rules ?? []).flatMap((r) =>
    (r.http?.paths ?? []).map((p) => [r.host ?? '*', <code key="path">{p.path ?? '/'}</code>, p.pathType ?? '', to(p.backend)]),
  )
  return (
    <>
      <Part title={t('object.rules')} wide>
        <Grid head={[t('object.host'), t('object.path'), 'pathType', t('object.backend')]} rows={rules} />
      </Part>
      <Part title="Ingress">
        <Facts
          of={[
            ['IngressClass', spec.ingressClassName && <Ref to="ingressclasses.networking.k8s.io" name={spec.ingressClassName} />],
            ['defaultBackend', spec.defaultBackend && to(spec.defaultBackend)],
            [t('object.address'), (status?.loadBalancer?.ingress ?? []).map((i) => i.ip ?? i.hostname ?? '').join(', ')],
            [
              'TLS',
              (spec.tls?.length ?? 0) > 0 && (
                <ul class="pairs">
                  {spec.tls?.map((one, i) => (
                    <li key={i}>
                      {(one.hosts ?? []).join(', ')} <Ref to="secrets" namespace={metadata.namespace} name={one.secretName ?? ''} />
                    </li>
                  ))}
                </ul>
              ),
            ],
          ]}
        />
      </Part>
    </>
  )
}
