import { useMemo } from 'preact/hooks'
import type { KubeObject } from '../api/object'
import type { Resource } from '../api/resource'
import { t } from '../i18n'
import { DiffView } from '../ui/diffview'
import { applyChanges, clean, parsed, write } from './draft'
import { type Change, changes, merge, pathText } from './merge'

interface ConflictsProps {
  readonly resource: Resource
  /** The object that the text started from, and the current object. */
  readonly base: KubeObject
  readonly theirs: KubeObject
  readonly text: string
  /** merged is called with the text merged into the newer object. */
  readonly merged: (onto: KubeObject, text: string) => void
}

/** Conflicts shows what others have changed since editing began, and merges it into the text. */
export function Conflicts({ resource, base, theirs, text, merged }: ConflictsProps) {
  const before = useMemo(() => clean(resource, base), [base])
  const after = useMemo(() => clean(resource, theirs), [theirs])
  const mine = useMemo(() => parsed(text), [text])
  const { take, conflicts } = useMemo(() => merge(before, mine, after), [before, mine, after])
  const asTheirs: Change[] = conflicts.map((c) => ({ path: c.path, before: c.mine, after: c.theirs }))
  return (
    <section class="conflict" aria-label={t('conflict.title')}>
      <h2>
        <span role="alert">{t('conflict.title')}</span>
      </h2>
      <p>{t('conflict.about', { n: changes(before, after).length })}</p>
      <details>
        <summary>{t('conflict.theirs')}</summary>
        <DiffView before={write(before)} after={write(after)} label={t('conflict.theirs')} />
      </details>
      {mine === undefined ? (
        <p>{t('conflict.syntax')}</p>
      ) : (
        <>
          {conflicts.length > 0 && <p>{t('conflict.both', { n: conflicts.length })}</p>}
          {conflicts.slice(0, 20).map((c) => (
            <dl key={pathText(c.path)} class="facts">
              <dt>
                <code>{pathText(c.path)}</code>
              </dt>
              <dd>
                {t('conflict.mine')}: <code>{short(c.mine)}</code>
                <br />
                {t('conflict.other')}: <code>{short(c.theirs)}</code>
              </dd>
            </dl>
          ))}
          <div class="row">
            <button type="button" class="primary" onClick={() => merged(theirs, applyChanges(text, take))}>
              {t(conflicts.length > 0 ? 'conflict.keepMine' : 'conflict.merge')}
            </button>
            {conflicts.length > 0 && (
              <button type="button" onClick={() => merged(theirs, applyChanges(text, [...take, ...asTheirs]))}>
                {t('conflict.takeTheirs')}
              </button>
            )}
          </div>
        </>
      )}
    </section>
  )
}

/** short formats a value on one line, truncated. */
function short(v: unknown): string {
  const text = v === undefined ? '∅' : JSON.stringify(v)
  return text.length > 200 ? `${text.slice(0, 200)}…` : text
}
