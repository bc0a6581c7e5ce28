import { signal } from '@preact/signals'
import { t } from '../i18n'
import { Dialog } from '../ui/dialog'
import { bindings } from '../ui/keys'

/** helpShown is whether the keys are being shown. */
export const helpShown = signal(false)

/** Help lists what the keys do on the page that is open. */
export function Help() {
  return (
    <Dialog title={t('keys.title')} close={() => (helpShown.value = false)}>
      <dl class="keys">
        {bindings().map((b) => (
          <div key={b.keys.join()}>
            <dt>
              {b.keys.map((k) => (
                <kbd key={k}>{k}</kbd>
              ))}
            </dt>
            <dd>{b.label}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  )
}
