import { t } from '../../i18n'
import { type Field, partsOf } from './fields'
import { Part } from './parts'
import type { TabProps } from './tabprops'

/** Generic shows an object of an unknown kind, field by field. */
export function Generic({ object }: TabProps) {
  const all = partsOf(object)
  const plain = all.filter((f) => f.kind === 'text')
  return (
    <>
      {plain.length > 0 && (
        <Part title={t('object.fields')}>
          <Fields of={plain} />
        </Part>
      )}
      {all
        .filter((f) => f.kind !== 'text')
        .map((f) => (
          <Part key={f.name} title={f.name} wide={f.kind === 'table'}>
            {f.kind === 'group' ? <Fields of={f.fields} more={f.more} /> : <One of={f} />}
          </Part>
        ))}
    </>
  )
}

function Fields({ of, more = 0 }: { of: readonly Field[]; more?: number }) {
  return (
    <dl class="facts fields">
      {of.map((f) => (
        <>
          <dt key={`${f.name} dt`}>{f.name}</dt>
          <dd key={`${f.name} dd`}>
            <One of={f} />
          </dd>
        </>
      ))}
      {more > 0 && <dd class="faint">{t('overview.more', { n: more })}</dd>}
    </dl>
  )
}

function One({ of: f }: { of: Field }) {
  if (f.kind === 'text') return <span class="value">{f.text}</span>
  if (f.kind === 'group') return <Fields of={f.fields} more={f.more} />
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: keys must be able to scroll it
    <section class="scroll" tabIndex={0} aria-label={f.columns.join(' ')}>
      <table>
        <thead>
          <tr>
            {f.columns.map((c) => (
              <th key={c} scope="col">
                {c}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {f.rows.map((row, i) => (
            <tr key={i}>
              {row.map((cell, n) => (
                <td key={n} class="value">
                  {cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {f.more > 0 && <p class="faint">{t('overview.more', { n: f.more })}</p>}
    </section>
  )
}
