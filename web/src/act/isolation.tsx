import { useEffect, useState } from 'preact/hooks'
import type { ApiError } from '../api/http'
import { controllerOf, fullName, type KubeObject } from '../api/object'
import { readJSON } from '../api/read'
import { objectPath, resourceOfKind } from '../api/resource'
import { type Selector, selectorOf } from '../api/selector'
import { t } from '../i18n'
import { type ActionProps, done } from './action'
import { Confirm } from './confirm'
import { isolating } from './labelchange'
import { Refusal } from './refusal'
import { patch } from './write'

/**
 * Isolation is the dialog that removes a Pod from its controller, so that it can be inspected while
 * another takes its place.
 */
export function Isolation(props: ActionProps) {
  const m = props.object.metadata
  const owner = controllerOf(m)
  const [selector, setSelector] = useState<Selector>()
  const [error, setError] = useState<ApiError | null>(null)
  useEffect(() => {
    const kind = owner && resourceOfKind(owner.apiVersion, owner.kind)
    if (!kind) return
    const path = objectPath(kind, m.namespace ?? '', owner.name)
    readJSON<KubeObject>(path).then((c) => setSelector(selectorOf(c)), setError)
  }, [m.uid])
  const keys = selector ? isolating(selector, m.labels ?? {}) : []
  const run = async () => {
    await patch(props, { metadata: { labels: Object.fromEntries(keys.map((key) => [key, null])) } })
    done(t('isolate.done', { owner: `${owner?.kind} ${owner?.name}` }), props)
  }
  const values = { owner: `${owner?.kind} ${owner?.name}` }
  return (
    <Confirm
      title={t('isolate.title', { name: fullName(m) })}
      submit={t('act.isolate')}
      close={props.close}
      run={run}
      disabled={keys.length === 0}
    >
      <Refusal error={error} />
      {selector && keys.length === 0 && <p class="notice warn">{t('isolate.cannot', values)}</p>}
      {keys.length > 0 && (
        <>
          <p>{t('isolate.removes')}</p>
          <ul>
            {keys.map((key) => (
              <li key={key}>
                <code>
                  {key}={m.labels?.[key]}
                </code>
              </li>
            ))}
          </ul>
          <ul>
            <li>{t(owner?.kind === 'Job' ? 'isolate.job' : 'isolate.replaced', values)}</li>
            <li>{t('isolate.stays')}</li>
            <li>{t('isolate.services')}</li>
          </ul>
        </>
      )}
    </Confirm>
  )
}
