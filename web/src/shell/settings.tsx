import { tryNow, untilBack } from '../api/link'
import { readMe } from '../api/person'
import { type Language, language, languages, speak, t } from '../i18n'
import { href } from '../route'
import { Icon } from '../ui/icon'
import { Menu } from '../ui/menu'
import { helpShown } from './help'
import { Me } from './me'
import { chooseTheme, type Theme, theme, themes } from './theme'

/** speakSoon changes the language as soon as its texts can be loaded. */
const speakSoon = (l: Language): Promise<void> =>
  speak(l).catch(() =>
    tryNow()
      .then(() => untilBack())
      .then(() => speak(l)),
  )

/** Settings are theme, language, login and what belongs nowhere else. */
export function Settings() {
  return (
    <Menu face={<Icon of="settings" />} name={t('settings.label')} kind="end" opened={() => void readMe()}>
      <div class="settings">
        <label>
          {t('settings.language')}
          <select value={language.value} onChange={(e) => void speakSoon(e.currentTarget.value as Language)}>
            {Object.entries(languages).map(([id, name]) => (
              <option key={id} value={id} lang={id}>
                {name}
              </option>
            ))}
          </select>
        </label>
        <label>
          {t('settings.theme')}
          <select value={theme.value} onChange={(e) => chooseTheme(e.currentTarget.value as Theme)}>
            {themes.map((name) => (
              <option key={name} value={name}>
                {t(`theme.${name}`)}
              </option>
            ))}
          </select>
        </label>
        <button type="button" onClick={() => (helpShown.value = true)}>
          {t('keys.help')} <kbd>?</kbd>
        </button>
        <a href={href({ page: 'other', name: 'faults', query: {} })}>{t('fault.all')}</a>
        <Me />
      </div>
    </Menu>
  )
}
