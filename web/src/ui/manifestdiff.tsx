import { t } from '../i18n'
import { type Loader, Slot } from './slot'

interface ManifestDiffProps {
  readonly before: unknown
  readonly after: unknown
}

/**
 * view is loaded when it is first needed, with the libraries that format YAML and compare lines.
 */
const view: Loader<ManifestDiffProps> = async () => {
  const [{ stringify }, { DiffView }] = await Promise.all([import('yaml'), import('./diffview')])
  const write = (v: unknown) => stringify(v, { lineWidth: 0 })
  return ({ before, after }) => <DiffView before={write(before)} after={write(after)} label={t('rollout.diff')} />
}

/** ManifestDiff shows how two values differ as YAML. */
export function ManifestDiff(p: ManifestDiffProps) {
  return <Slot of={view} {...p} />
}
