import { t } from '../i18n'
import { StateMark } from '../ui/state'
import type { Problem } from './manifest'

/** The maximum number of problems listed. */
const most = 100

/** ProblemList lists problems, each with a button that goes to its line. */
export function ProblemList(p: { problems: readonly Problem[]; line: (of: Problem) => number; show: (of: Problem) => void }) {
  if (p.problems.length === 0) return null
  const errors = p.problems.filter((one) => one.severity === 'error').length
  return (
    <>
      <h2>
        <span role="status">{errors > 0 ? t('write.problems', { n: errors }) : t('write.warnings', { n: p.problems.length })}</span>
      </h2>
      <ul class="problems">
        {p.problems.slice(0, most).map((one, i) => (
          <li key={i}>
            <StateMark state={one.severity === 'error' ? 'bad' : 'warn'} />
            <button type="button" class="plain" onClick={() => p.show(one)}>
              {t('write.line', { n: p.line(one) })} {one.field && <code>{one.field}</code>}
            </button>
            <small>{one.message.slice(0, 1000)}</small>
          </li>
        ))}
      </ul>
    </>
  )
}
