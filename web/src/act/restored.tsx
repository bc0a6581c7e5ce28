import { formatTime, t } from '../i18n'

/** Restored says that an unsaved text has been restored, and offers to discard it. */
export function Restored({ at, discard }: { at: number; discard: () => void }) {
  return (
    <p class="notice" role="status">
      {t('draft.restored', { time: formatTime(new Date(at)) })}{' '}
      <button type="button" onClick={discard}>
        {t('draft.discard')}
      </button>
    </p>
  )
}
