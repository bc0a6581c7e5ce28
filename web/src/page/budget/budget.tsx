import { useMemo } from 'preact/hooks'
import type { Budget } from '../../api/budget'
import { resources } from '../../api/resource'
import { useTable } from '../../api/use'
import { formatSelector } from '../../api/workload'
import { shownMinute } from '../../clock/clock'
import { t } from '../../i18n'
import { objectHref } from '../../route'
import { Age } from '../../ui/age'
import { Trouble } from '../../ui/trouble'
import type { TabProps } from '../object/tabprops'
import { Conditions } from '../rollout/conditions'
import { type Fact, Head } from '../set/head'
import { inOrder, markOf, printerOf } from '../tree/mark'
import { Pods } from '../tree/pods'
import { nodesOf, wordsOf } from './words'
import '../tree/tree.css'
import './budget.css'

/** mostNodes and mostEvicted are how many are listed. */
const [mostNodes, mostEvicted] = [40, 40]

/**
 * BudgetView shows a disruption budget: what it allows now and why, its Pods, and which drains it
 * blocks.
 */
export function BudgetView({ object }: TabProps) {
  const b = object as Budget
  const { namespace } = b.metadata
  const resource = resources.value.get('pods')
  const selector = b.spec?.selector
  const read = useTable(resource && selector ? { resource, namespace, labels: formatSelector(selector) } : null)
  const now = shownMinute.value
  const pods = useMemo(() => {
    const printed = printerOf(read.columns)
    return [...read.items.values()].map((row) => markOf(row, printed(row), 'own', now)).sort(inOrder)
  }, [read.items, read.changed, read.columns, now])
  const words = wordsOf(b)
  const evicted = Object.entries(b.status?.disruptedPods ?? {})
  const nodes = nodesOf(
    pods.filter((p) => p.state === 'ok'),
    b.status?.disruptionsAllowed ?? 0,
  )
  return (
    <div class="set budget">
      <Head words={words} raw={words.raw} facts={factsOf(b)} />
      {selector && <Trouble of={read} />}
      {(b.status?.expectedPods ?? 0) > 0 && <Sum of={b} />}
      {pods.length > 0 && (
        <section class="tree">
          <h2>{t('pdb.pods', { n: pods.length })}</h2>
          <div>
            <Pods marks={pods} fates={none} label={t('tree.podsOf', { name: b.metadata.name })} />
          </div>
        </section>
      )}
      {evicted.length > 0 && (
        <section>
          <h2>{t('pdb.evicted')}</h2>
          <ul class="evicted">
            {evicted.slice(0, mostEvicted).map(([name, at]) => (
              <li key={name}>
                <a href={objectHref('pods', namespace, name)}>{name}</a> <Age since={at} />
              </li>
            ))}
          </ul>
        </section>
      )}
      {nodes.length > 0 && (
        <section>
          <h2>{t('pdb.drains')}</h2>
          <div class="scroll">
            <table>
              <thead>
                <tr>
                  <th scope="col">{t('sts.node')}</th>
                  <th scope="col">{t('pdb.here')}</th>
                  <th scope="col">{t('pdb.now')}</th>
                </tr>
              </thead>
              <tbody>
                {nodes.slice(0, mostNodes).map((n) => (
                  <tr key={n.node}>
                    <th scope="row">
                      <a href={objectHref('nodes', '', n.node, 'drain')}>{n.node}</a>
                    </th>
                    <td>{n.pods}</td>
                    <td>{n.now}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        </section>
      )}
      <Conditions all={b.status?.conditions ?? []} />
    </div>
  )
}

const none = new Map<string, never>()

function factsOf(b: Budget): Fact[] {
  const { minAvailable, maxUnavailable, unhealthyPodEvictionPolicy = 'IfHealthyBudget' } = b.spec ?? {}
  return [
    ...(minAvailable === undefined ? [] : [['minAvailable', minAvailable] satisfies Fact]),
    ...(maxUnavailable === undefined ? [] : [['maxUnavailable', maxUnavailable] satisfies Fact]),
    ['unhealthyPodEvictionPolicy', unhealthyPodEvictionPolicy],
  ]
}

/**
 * Sum draws the numbers that determine the budget: expected Pods, healthy Pods, and how many must
 * be healthy.
 */
function Sum({ of: b }: { of: Budget }) {
  const { currentHealthy: healthy = 0, desiredHealthy: desired = 0, expectedPods: expected = 0, disruptionsAllowed: n = 0 } = b.status ?? {}
  const whole = Math.max(expected, healthy, desired, 1)
  const x = (count: number) => (100 * count) / whole
  return (
    <figure class="sum">
      <svg viewBox="0 0 100 20" preserveAspectRatio="none" width="100%" height="34" aria-hidden="true">
        <rect class="rest" width="100" y="5" height="10" />
        <rect class="needed" width={x(Math.min(healthy, desired))} y="5" height="10" />
        {healthy > desired && <rect class="spare" x={x(desired)} width={x(healthy - desired)} y="5" height="10" />}
        {healthy < desired && <rect class="short" x={x(healthy)} width={x(desired - healthy)} y="5" height="10" />}
        <line class="line" x1={x(desired)} x2={x(desired)} y1="0" y2="20" />
      </svg>
      <figcaption>
        {t(healthy < desired ? 'pdb.short' : 'pdb.sum', { healthy, desired, n })}{' '}
        <span class="faint">{t('pdb.expected', { n: expected })}</span>
      </figcaption>
    </figure>
  )
}
