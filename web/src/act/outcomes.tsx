import { t } from '../i18n'
import { objectHref } from '../route'
import { type State, StateMark } from '../ui/state'
import type { Outcome } from './creation'
import { failureOf } from './failure'

const states: Record<Outcome['state'], State> = {
  checked: 'ok',
  later: 'wait',
  created: 'done',
  taken: 'warn',
  unknown: 'bad',
  refused: 'bad',
}

/** Outcomes shows the result for each manifest. */
export function Outcomes({ of }: { of: readonly Outcome[] }) {
  return (
    <>
      <h2>{t('write.outcome')}</h2>
      <ul class="problems" aria-label={t('write.outcome')}>
        {of.map((o, i) => (
          <li key={i}>
            <StateMark state={states[o.state]} quiet />
            <span>
              {o.manifest.kind}{' '}
              {o.state === 'created' && o.resource ? (
                <a href={objectHref(o.resource.id, o.namespace, o.name)}>{o.name}</a>
              ) : (
                <b>{o.name}</b>
              )}
            </span>
            <small>
              {t(`write.is.${o.state}`, { kind: o.manifest.kind, apiVersion: o.manifest.apiVersion, namespace: o.namespace })}
              {o.state === 'taken' && o.resource && (
                <>
                  {' '}
                  <a href={objectHref(o.resource.id, o.namespace, o.name, 'edit')}>{t('write.editIt')}</a>
                </>
              )}
              {o.error && o.state === 'refused' && <> {failureOf(o.error).slice(0, 300)}</>}
            </small>
          </li>
        ))}
      </ul>
    </>
  )
}
