import { render } from 'preact'
import { sleepUnseen } from './api/bundle'
import { startTicking } from './clock/clock'
import { loadLanguage } from './i18n'
import { listenToHistory } from './route'
import { App } from './shell/app'
import { applyTheme } from './shell/theme'
import { listenToKeys } from './ui/keys'
import './style/tokens.css'
import './style/base.css'
import './style/shell.css'

applyTheme()
listenToHistory()
listenToKeys()
sleepUnseen()
startTicking()
await loadLanguage()
const root = document.getElementById('app')
if (root) render(<App />, root)
