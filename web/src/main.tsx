import { render } from 'preact'
import { askBeforeLeaving } from './act/kept'
import { sleepUnseen } from './api/bundle'
import { startTicking } from './clock/clock'
import { loadLanguage } from './i18n'
import { listenToHistory } from './route'
import { App } from './shell/app'
import { listenAhead } from './shell/jumpshown'
import { loadAhead } from './shell/pages'
import { applyTheme } from './shell/theme'
import { listenToKeys } from './ui/keys'
import { noteLacking } from './ui/slot'
import './style/fonts.css'
import './style/tokens.css'
import './style/base.css'
import './style/shell.css'

applyTheme()
// Make the address absolute: browsers request the icon again from other pages, where the relative
// one would be wrong.
const icon = document.querySelector<HTMLLinkElement>('link[rel="icon"]')
if (icon) icon.href = new URL(icon.href).href
noteLacking()
listenToHistory()
listenToKeys()
listenAhead()
sleepUnseen()
askBeforeLeaving()
startTicking()
loadAhead()
await loadLanguage().catch(() => undefined) // English is always available
const root = document.getElementById('app')
if (root) render(<App />, root)
