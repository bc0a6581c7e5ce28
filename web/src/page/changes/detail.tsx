import { useEffect, useState } from 'preact/hooks'
import { formatTime, t } from '../../i18n'
import { setQuery } from '../../route'
import { diffObjects } from '../../time/diff'
import { type Detail, readChange } from '../../time/log'
import { learn } from '../../time/now'
import { Icon } from '../../ui/icon'
import { StateMark } from '../../ui/state'
import { Unread } from '../../ui/unread'
import { Chain } from './chain'
import { Diff } from './diff'
import { momentHref, objectAt } from './links'
import { verbState, whoOf } from './words'

/** ChangeDetail shows one change: its object, author, fields and cause. */
export function ChangeDetail({ revision }: { revision: number }) {
  const [read, setRead] = useState<{ detail?: Detail; error?: Error }>({})
  useEffect(() => {
    const stop = new AbortController()
    readChange(revision, stop.signal).then(
      (detail) => {
        learn([detail])
        setRead({ detail })
      },
      (error: Error) => stop.signal.aborted || setRead({ error }),
    )
    return () => stop.abort()
  }, [revision])
  const c = read.detail
  return (
    <article class="change" aria-label={t('changes.open', { revision })}>
      <header>
        <h2>{t('changes.open', { revision })}</h2>
        <button type="button" class="plain" aria-label={t('changes.close')} onClick={() => setQuery({ change: '' }, false)}>
          <Icon of="close" />
        </button>
      </header>
      <Unread error={read.error} />
      {!c && !read.error && <p class="faint">{t('load.loading')}</p>}
      {c && <Body c={c} />}
    </article>
  )
}

function Body({ c }: { c: Detail }) {
  // A deletion has no state after it: its last state is the one before.
  const after = c.verb === 'deleted' ? undefined : c.object
  const before = c.verb === 'deleted' ? (c.object ?? c.previous) : c.previous
  const what = (
    <section key="what" aria-label={t('changes.diff')}>
      <h3>{t('changes.diff')}</h3>
      {c.previousExpired && <p class="faint">{t('changes.previousExpired')}</p>}
      <Diff changes={diffObjects(before, after)} />
    </section>
  )
  const why = (
    <section key="why" aria-label={t('changes.why')}>
      <h3>{t('changes.why')}</h3>
      <p class="faint">{t('changes.whyAbout')}</p>
      <Chain revision={c.revision} />
    </section>
  )
  return (
    <>
      <p class="change-what">
        <StateMark state={verbState[c.verb]} quiet /> <b>{c.kind}</b> {c.namespace ? `${c.namespace}/` : ''}
        {c.name} {t(`changes.${c.verb}`)}
      </p>
      <p class="faint">
        {formatTime(new Date(c.at))} · {t('changes.by', { who: whoOf(c.writer) || t('changes.anybody') })}
        {c.writer.userAgent && <span class="change-agent">{c.writer.userAgent}</span>}
      </p>
      <p class="change-ways">
        <a href={momentHref(c)}>{t('changes.show')}</a>
        {c.verb === 'updated' && <a href={objectAt(c, c.revision - 1)}>{t('changes.before')}</a>}
      </p>
      {c.verb === 'updated' ? [what, why] : [why, what]}
    </>
  )
}
