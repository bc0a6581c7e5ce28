import type { ComponentChildren } from 'preact'
import { resources } from '../../api/resource'
import { t } from '../../i18n'
import { objectHref } from '../../route'

/** Part is a section of an object's page. */
export function Part({ title, wide = false, children }: { title: string; wide?: boolean; children: ComponentChildren }) {
  return (
    <section class={wide ? 'part wide' : 'part'} aria-label={title}>
      <h2>{title}</h2>
      {children}
    </section>
  )
}

/** Ref links to another object, if its kind is served and its name is known. */
export function Ref({ to: id, namespace, name, tab }: { to: string; namespace?: string | undefined; name: string; tab?: string }) {
  const resource = resources.value.get(id)
  if (!resource || name === '') return <>{name}</>
  return <a href={objectHref(id, resource.namespaced ? namespace : undefined, name, tab)}>{name}</a>
}

/** Facts is a definition list of names and values. It omits empty values. */
export function Facts({ of }: { of: readonly (readonly [string, ComponentChildren])[] }) {
  const all = of.filter(([, value]) => value !== undefined && value !== null && value !== '' && value !== false)
  if (all.length === 0) return null
  return (
    <dl class="facts">
      {all.map(([name, value]) => (
        <>
          <dt key={`${name} dt`}>{name}</dt>
          <dd key={`${name} dd`}>{value}</dd>
        </>
      ))}
    </dl>
  )
}

/** Grid is a small table, which scrolls if there is no room. */
export function Grid({ head, rows, empty }: { head: readonly string[]; rows: readonly (readonly ComponentChildren[])[]; empty?: string }) {
  if (rows.length === 0) return <p class="faint">{empty ?? t('object.none')}</p>
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: keys must be able to scroll it
    <section class="scroll" tabIndex={0} aria-label={head.join(' ')}>
      <table>
        <thead>
          <tr>
            {head.map((name, i) => (
              <th key={i} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, i) => (
            <tr key={i}>
              {row.map((cell, c) => (
                <td key={c}>{cell}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

/** Pairs shows labels and the like: keys with values. */
export function Pairs({ of }: { of: Readonly<Record<string, string>> }) {
  return (
    <ul class="pairs">
      {Object.entries(of).map(([key, value]) => (
        <li key={key}>
          <b>{key}</b>={value.length > 500 ? `${value.slice(0, 500)}…` : value}
        </li>
      ))}
    </ul>
  )
}

/** Bar shows how full something is, from 0 to 1, with a label. */
export function Bar({ share, full = false, label }: { share: number; full?: boolean; label: string }) {
  const kind = full ? 'bad' : share > 0.85 ? 'warn' : 'ok'
  return (
    <svg class={`use-bar ${kind}`} viewBox="0 0 100 8" preserveAspectRatio="none" role="img" aria-label={label}>
      <rect class="rest" width="100" height="8" />
      <rect class="used" width={share > 0 ? Math.max(0.8, Math.min(100, share * 100)) : 0} height="8" />
    </svg>
  )
}
