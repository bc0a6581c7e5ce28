import { t } from '../../i18n'
import { StateMark } from '../../ui/state'
import type { Said } from './said'
import './set.css'

/** Fact is a name, a value, and the value's link. */
export type Fact = readonly [name: string, value: string | number, href?: string]

/** Head describes the state of an object and its limits. */
export function Head({
  words,
  facts,
  raw = '',
}: {
  words: Said
  facts: readonly Fact[]
  /** The cluster's own message. */
  raw?: string
}) {
  return (
    <div class="head">
      <p class="head-words" role="status">
        <StateMark state={words.state} quiet /> <strong>{t(words.key, words.values)}</strong> {raw !== '' && <span class="raw">{raw}</span>}
      </p>
      <dl>
        {facts.map(([name, value, to]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{to === undefined ? value : <a href={to}>{value}</a>}</dd>
          </div>
        ))}
      </dl>
    </div>
  )
}
