import type { ComponentChildren } from 'preact'
import type { Meta } from '../../api/object'
import { t } from '../../i18n'
import { objectHref } from '../../route'
import { Age } from '../../ui/age'
import { type State, StateMark } from '../../ui/state'
import { Swatch } from '../rollout/chart'
import type { Kinship } from './kin'
import type { Mark } from './mark'
import { type Fate, Pods } from './pods'

/** Branch is an object of the family that has Pods: a ReplicaSet or a Job. */
export interface Branch {
  readonly resource: string
  readonly kind: string
  readonly meta: Meta
  readonly state: State
  readonly kinship: Kinship
  /** Text for the number of existing and desired Pods. */
  readonly share: string
  readonly about: string
  /** The revision of a ReplicaSet, else 0. */
  readonly revision: number
  /** Whether it has ended, or has no desired Pods, and is shown small. */
  readonly past: boolean
  readonly marks: readonly Mark[]
}

/** Card is an object of the family. */
export function Card(p: {
  resource: string
  kind: string
  meta: Meta
  state: State
  here: boolean
  revision?: number
  kinship?: Kinship
  tab?: string
  children?: ComponentChildren
}) {
  return (
    <div class={`card ${p.here ? 'here' : ''}`}>
      <small>{p.kind}</small>
      <a class="name" href={objectHref(p.resource, p.meta.namespace, p.meta.name, p.tab)} aria-current={p.here ? 'true' : undefined}>
        <StateMark state={p.state} /> <bdi>{p.meta.name}</bdi>
      </a>
      <span class="facts-line">
        {!!p.revision && (
          <span>
            <Swatch revision={p.revision} />
            {t('rollout.revision', { revision: p.revision })}
          </span>
        )}
        {p.children}
        <Age since={p.meta.creationTimestamp} />
      </span>
      {p.kinship && p.kinship !== 'own' && <KinshipNote of={p.kinship} />}
    </div>
  )
}

/** KinshipNote says what is unusual about an object's place in the family. */
export function KinshipNote({ of }: { of: Exclude<Kinship, 'own'> }) {
  return <span class={`kinship ${of}`}>{t(`tree.${of}`)}</span>
}

/** BranchView is a branch with its Pods. */
export function BranchView({ of: b, fates, here }: { of: Branch; fates: ReadonlyMap<string, Fate>; here: string }) {
  return (
    <li class="branch">
      <Card
        resource={b.resource}
        kind={b.kind}
        meta={b.meta}
        state={b.state}
        revision={b.revision}
        kinship={b.kinship}
        here={b.meta.uid === here}
      >
        <span>{b.share}</span>
        {b.about !== '' && <span class="about">{b.about.slice(0, 200)}</span>}
      </Card>
      <div class="leaves">
        <Pods marks={b.marks} fates={fates} here={here} label={t('tree.podsOf', { name: b.meta.name })} />
        <Adopted marks={b.marks} />
      </div>
    </li>
  )
}

/** mostNamed is how many adopted Pods are listed. */
const mostNamed = 10

/** Adopted lists the Pods of a branch that it did not create. */
function Adopted({ marks }: { marks: readonly Mark[] }) {
  const guests = marks.filter((m) => m.kinship !== 'own')
  if (guests.length === 0) return null
  return <Named marks={guests} />
}

/** Named lists Pods with what is unusual about them. */
export function Named({ marks }: { marks: readonly Mark[] }) {
  return (
    <ul class="named">
      {marks.slice(0, mostNamed).map((m) => (
        <li key={m.uid}>
          <StateMark state={m.state} /> <a href={objectHref('pods', m.meta.namespace, m.meta.name)}>{m.meta.name}</a>{' '}
          {m.kinship !== 'own' && <KinshipNote of={m.kinship} />}
        </li>
      ))}
      {marks.length > mostNamed && <li>{t('tree.more', { n: marks.length - mostNamed })}</li>}
    </ul>
  )
}
