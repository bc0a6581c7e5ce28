import { useState } from 'preact/hooks'
import { getJSON, send } from '../api/http'
import { collectionPath, type Resource, resources } from '../api/resource'
import { type Key, t } from '../i18n'
import { href, objectHref } from '../route'
import { StateMark } from '../ui/state'
import { ActButton } from './able'
import { refused } from './action'
import { closed, type Step, taken } from './firsttaken'
import { type Access, accessTo } from './may'
import { starts } from './starts'

/**
 * example is what the first step creates: a Deployment, and a CronJob that runs when the clock
 * advances.
 */
const example = [
  { id: 'deployments.apps', manifest: starts.Deployment },
  { id: 'cronjobs.batch', manifest: starts.CronJob },
] as const

const served = (): Resource[] => example.flatMap(({ id }) => resources.value.get(id) ?? [])

async function deploy(namespace: string): Promise<void> {
  const { parse } = await import('yaml')
  for (const { id, manifest } of example) {
    const r = resources.value.get(id)
    if (r) await send(collectionPath(r, namespace), { method: 'POST', body: parse(manifest ?? '') })
  }
}

/**
 * brokenFor is how long the example crashes, in cluster time, unless the fault is lifted earlier.
 */
const brokenFor = '1h'

const crash = (namespace: string): Promise<unknown> =>
  getJSON('/rowlock/v1/faults', {
    method: 'POST',
    body: { for: brokenFor, pod: { namespace, selector: 'app=web', action: 'crashloop' } },
  })

const advance = (): Promise<unknown> => getJSON('/rowlock/v1/clock', { method: 'POST', body: { advance: { by: '1d' } } })

/**
 * FirstSteps shows in a minute what the cluster can do: deploy an example, break it, and advance
 * the clock by a day.
 */
export function FirstSteps({ namespace }: { namespace: string }) {
  const ns = namespace || 'default'
  return (
    <section class="panel first-steps" aria-labelledby="first-steps">
      <h2 id="first-steps">{t('first.title')}</h2>
      <ol>
        <One
          step="deploy"
          needs={served().map((r) => accessTo('create', r, ns))}
          run={() => deploy(ns)}
          link={{ href: objectHref('deployments.apps', ns, 'web'), text: t('first.seeDeployment') }}
        />
        <One
          step="break"
          after="deploy"
          needs={[{ verb: 'post', path: '/rowlock/v1/faults' }]}
          run={() => crash(ns)}
          link={{ href: href({ page: 'other', name: 'faults', query: {} }), text: t('fault.all') }}
        />
        <One
          step="advance"
          after="deploy"
          needs={[{ verb: 'post', path: '/rowlock/v1/clock' }]}
          run={advance}
          link={{ href: objectHref('cronjobs.batch', ns, 'report'), text: t('first.seeCronJob') }}
        />
      </ol>
      <button type="button" onClick={() => (closed.value = true)}>
        {t('action.close')}
      </button>
    </section>
  )
}

interface OneProps {
  readonly step: Step
  /** The previous step, which must be taken first. */
  readonly after?: Step
  readonly needs: readonly Access[]
  readonly run: () => Promise<unknown>
  /** The page that shows the result of the step. */
  readonly link: { readonly href: string; readonly text: string }
}

function One({ step, after, needs, run, link }: OneProps) {
  const [busy, setBusy] = useState(false)
  const isTaken = taken.value.has(step)
  const title = t(`first.${step}` satisfies Key)
  const early = after !== undefined && !taken.value.has(after)
  const take = async () => {
    setBusy(true)
    try {
      await run()
      taken.value = new Set([...taken.value, step])
    } catch (e) {
      refused(title, e)
    }
    setBusy(false)
  }
  return (
    <li>
      <p>
        {isTaken && <StateMark state="done" quiet />} {t(`first.${step}About` satisfies Key)}
      </p>
      {isTaken ? (
        <a href={link.href}>{link.text}</a>
      ) : (
        <ActButton kind={early ? '' : 'primary'} needs={needs} busy={busy || early} run={() => void take()}>
          {title}
        </ActButton>
      )}
    </li>
  )
}
