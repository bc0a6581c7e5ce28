import { base } from '../base'
import { t } from '../i18n'

/** ForkMark says in a dialog that it acts on a fork, in words and in the colour of forks. */
export function ForkMark() {
  if (base.fork === '') return null
  return (
    <span class="fork-mark" title={t('frame.fork', { name: base.fork })}>
      {t('fork.chip', { name: base.fork })}
    </span>
  )
}
