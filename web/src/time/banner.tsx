import { base } from '../base'
import { moment, presentNow } from '../clock/clock'
import { formatTime, t } from '../i18n'
import { making } from '../page/fork/making'
import { at, href, route } from '../route'
import { formatAge } from '../ui/age'
import { history, startTime } from './now'
import { backToNow } from './travel'
import './time.css'

/** Banner says which past moment is shown, and offers ways back. */
export function Banner() {
  startTime()
  const revision = at.value
  const h = history.value
  if (revision === null) return null
  const expired = h !== null && revision < h.oldest.revision
  const future = h !== null && revision > h.newest.revision
  return (
    <aside class="past-banner" aria-label={t('time.past')}>
      <p>
        <strong>{t('time.past')}</strong>{' '}
        {moment.value !== null && !expired && (
          <time dateTime={new Date(moment.value).toISOString()}>{formatTime(new Date(moment.value))}</time>
        )}{' '}
        <span class="past-revision">{t('time.revision', { revision })}</span>{' '}
        {moment.value !== null && !expired && (
          <span class="past-ago">{t('time.ago', { age: formatAge(presentNow.value - moment.value) })}</span>
        )}{' '}
        <span class="past-about">
          {expired ? t('time.expired', { at: revision }) : future ? t('time.future', { at: revision }) : t('time.pastAbout')}
        </span>
      </p>
      <div class="past-ways">
        {expired && (
          <a href={href({ ...route.value, query: { ...route.value.query, at: String(h.oldest.revision) } })}>{t('time.oldest')}</a>
        )}
        {!expired && <a href={href({ page: 'other', name: 'changes', query: { change: String(revision) } })}>{t('time.change')}</a>}
        {!expired && <a href={compareHref()}>{t('time.compare')}</a>}
        {!expired && !future && base.fork === '' && (
          <button
            type="button"
            onClick={() => {
              making.value = { at: revision }
            }}
          >
            {t('fork.fromHere')}
          </button>
        )}
        <button type="button" class="primary" onClick={backToNow}>
          {t('time.back')}
        </button>
      </div>
    </aside>
  )
}

/** compareHref is the address that compares the current page with now. */
function compareHref(): string {
  const r = route.value
  const kept = Object.fromEntries(['ns', 'l', 'f'].flatMap((k) => (r.query[k] ? [[k, r.query[k]]] : [])))
  const of =
    r.page === 'table'
      ? { of: r.resource }
      : r.page === 'object'
        ? { of: r.resource, name: r.name, ...(r.namespace ? { ns: r.namespace } : {}) }
        : {}
  return href({ page: 'other', name: 'compare', query: { ...kept, ...of } })
}
