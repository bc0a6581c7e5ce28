import { t } from '../../i18n'
import { StateMark } from '../../ui/state'
import type { Said } from './said'
import './set.css'

/** Fact is a name, a value, and where the value leads. */
export type Fact = readonly [name: string, value: string | number, href?: string]

/** Head says in words how an object is, and what bounds it. */
export function Head({
  words,
  facts,
  raw = '',
}: {
  words: Said
  facts: readonly Fact[]
  /** The same in the words of the cluster. */
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
