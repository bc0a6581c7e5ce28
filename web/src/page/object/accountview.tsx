import type { KubeObject } from '../../api/object'
import { resources } from '../../api/resource'
import { useTable } from '../../api/use'
import { t } from '../../i18n'
import { tableHref } from '../../route'
import { Facts, Part, Ref } from './parts'
import { PodList } from './podlist'
import type { TabProps } from './tabprops'

interface Account extends KubeObject {
  readonly secrets?: readonly { readonly name?: string }[]
  readonly imagePullSecrets?: readonly { readonly name?: string }[]
  readonly automountServiceAccountToken?: boolean
}

/** AccountView is a ServiceAccount's page: the Pods that run as it, and its Secrets. */
export function AccountView({ object }: TabProps) {
  const account = object as Account
  const { name, namespace = '' } = account.metadata
  const pods = resources.value.get('pods')
  const fields = `spec.serviceAccountName=${name}`
  const rows = useTable(pods ? { resource: pods, namespace, fields } : null)
  const refs = (all: Account['secrets']) =>
    (all?.length ?? 0) > 0 &&
    all?.map((s) => (
      <span key={s.name}>
        <Ref to="secrets" namespace={namespace} name={s.name ?? ''} />{' '}
      </span>
    ))
  return (
    <>
      <Part title="ServiceAccount">
        <Facts
          of={[
            [t('object.user'), `system:serviceaccount:${namespace}:${name}`],
            ['secrets', refs(account.secrets)],
            ['imagePullSecrets', refs(account.imagePullSecrets)],
            ['automountServiceAccountToken', account.automountServiceAccountToken === false && 'false'],
          ]}
        />
      </Part>
      <Part title={t('object.pods', { n: rows.items.size })} wide>
        <PodList rows={[...rows.items.values()]} columns={rows.columns} all={tableHref('pods', { ns: namespace, f: fields })} />
      </Part>
    </>
  )
}
