import type { Condition } from '../../api/object'
import { controllerOf } from '../../api/object'
import { resourceOfKind } from '../../api/resource'
import { t } from '../../i18n'
import { Age } from '../../ui/age'
import { type Loader, useLoaded } from '../../ui/slot'
import { ConditionStrip } from './conditions'
import { Footer } from './footer'
import { Facts, Pairs, Part, Ref } from './parts'
import type { TabProps } from './tabprops'
import './object.css'

const generic: Loader<TabProps> = () => import('./generic').then((m) => m.Generic)

/** kinds have pages of their own; all others are shown field by field. */
const kinds: Readonly<Record<string, Loader<TabProps>>> = {
  pods: () => import('./podview').then((m) => m.PodView),
  nodes: () => import('./nodeview').then((m) => m.NodeView),
  services: () => import('./serviceview').then((m) => m.ServiceView),
  'ingresses.networking.k8s.io': () => import('./ingressview').then((m) => m.IngressView),
  configmaps: () => import('./dataview').then((m) => m.ConfigMapView),
  secrets: () => import('./dataview').then((m) => m.SecretView),
  persistentvolumeclaims: () => import('./claimview').then((m) => m.ClaimView),
  resourcequotas: () => import('./quotaview').then((m) => m.QuotaView),
  serviceaccounts: () => import('./accountview').then((m) => m.AccountView),
}

/**
 * Summary is the main page of an object: its state, what is specific to its kind, its Events, and
 * its latest changes.
 */
export function Summary({ resource, object }: TabProps) {
  const View = useLoaded(kinds[resource.id] ?? generic)
  const conditions = (object.status as { conditions?: unknown } | undefined)?.conditions
  return (
    <div class="object">
      {Array.isArray(conditions) && <ConditionStrip all={conditions as Condition[]} />}
      {View && <View resource={resource} object={object} />}
      <Metadata resource={resource} object={object} />
      <Footer resource={resource} object={object} />
    </div>
  )
}

/** lastApplied is kubectl's copy of a whole manifest. Only the YAML shows it. */
const lastApplied = 'kubectl.kubernetes.io/last-applied-configuration'

function Metadata({ object }: TabProps) {
  const m = object.metadata
  const owner = controllerOf(m)
  const ownerKind = owner && resourceOfKind(owner.apiVersion, owner.kind)
  const { [lastApplied]: _, ...annotations } = m.annotations ?? {}
  return (
    <Part title={t('object.metadata')}>
      <Facts
        of={[
          [t('field.age'), <Age key="age" since={m.creationTimestamp} />],
          [t('field.deleting'), m.deletionTimestamp && <Age since={m.deletionTimestamp} />],
          [
            t('field.owner'),
            owner && (
              <>
                {owner.kind} {ownerKind ? <Ref to={ownerKind.id} namespace={m.namespace} name={owner.name} /> : owner.name}
              </>
            ),
          ],
          ['UID', m.uid],
          [t('object.finalizers'), m.finalizers?.join(', ')],
          [t('field.labels'), Object.keys(m.labels ?? {}).length > 0 && <Pairs of={m.labels ?? {}} />],
          [t('field.annotations'), Object.keys(annotations).length > 0 && <Pairs of={annotations} />],
        ]}
      />
    </Part>
  )
}
