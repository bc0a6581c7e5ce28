import type { KubeObject } from '../../api/object'
import { t } from '../../i18n'
import { StateMark } from '../../ui/state'
import { phaseVerdict } from '../../verdict/phase'
import { Facts, Part, Ref } from './parts'
import type { TabProps } from './tabprops'

interface Claim extends KubeObject {
  readonly spec?: {
    readonly accessModes?: readonly string[]
    readonly storageClassName?: string
    readonly volumeName?: string
    readonly volumeMode?: string
    readonly resources?: { readonly requests?: Readonly<Record<string, string>> }
    readonly dataSource?: { readonly kind: string; readonly name: string }
  }
  readonly status?: {
    readonly phase?: string
    readonly capacity?: Readonly<Record<string, string>>
    readonly accessModes?: readonly string[]
  }
}

/** ClaimView is a PersistentVolumeClaim's page: what it requests and what it has. */
export function ClaimView({ object }: TabProps) {
  const { spec = {}, status = {} } = object as Claim
  const verdict = phaseVerdict('persistentvolumeclaims', object)
  return (
    <Part title="PersistentVolumeClaim">
      <Facts
        of={[
          [
            t('object.state'),
            <span key="phase">
              <StateMark state={verdict.state} quiet /> {verdict.word}
            </span>,
          ],
          ['PersistentVolume', spec.volumeName && <Ref to="persistentvolumes" name={spec.volumeName} />],
          ['StorageClass', spec.storageClassName && <Ref to="storageclasses.storage.k8s.io" name={spec.storageClassName} />],
          [t('object.requests'), spec.resources?.requests?.storage],
          [t('object.capacity'), status.capacity?.storage],
          [t('object.accessModes'), (status.accessModes ?? spec.accessModes ?? []).join(', ')],
          ['volumeMode', spec.volumeMode],
          ['dataSource', spec.dataSource && `${spec.dataSource.kind} ${spec.dataSource.name}`],
        ]}
      />
    </Part>
  )
}
