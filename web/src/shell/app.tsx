import { signal } from '@preact/signals'
import { useEffect, useErrorBoundary } from 'preact/hooks'
import { type ApiError, loginNeeded } from '../api/http'
import { outage } from '../api/link'
import { whenAnswered } from '../api/read'
import { loadResources, resources } from '../api/resource'
import { base } from '../base'
import { readClock } from '../clock/clock'
import { language, t } from '../i18n'
import { at, go, route } from '../route'
import { Announcer } from '../ui/announce'
import { jumpKey, useKeys } from '../ui/keys'
import { Parts, Slot } from '../ui/slot'
import { Bar } from './bar'
import { Denied } from './denied'
import { Help, helpShown } from './help'
import { jumpShown, openJump } from './jumpshown'
import { Login } from './login'
import { namespaceShown } from './namespace'
import { OutageBanner } from './outage'
import { Main } from './pages'
import { atBottom, atTop, jump } from './slots'
import { arrive } from './title'

const failed = signal<ApiError | null>(null)

/** start asks the server for what every page needs, however long it does not answer. */
async function start(signal?: AbortSignal): Promise<void> {
  failed.value = null
  try {
    await whenAnswered(() => loadResources(readClock()), signal) // the clock dates what is read
  } catch (e) {
    if (signal?.aborted) return
    failed.value = e as ApiError
    if (resources.peek().size === 0) jumpShown.value = false // there is nowhere to jump to
  }
}

/** canJump says whether there is something to jump to, or will be soon: what is typed until then is kept. */
const canJump = (): boolean => resources.value.size > 0 || (failed.value === null && outage.value === null && !loginNeeded.value)

/** App is the whole dashboard: the bar, the current page, and overlays. */
export function App() {
  useEffect(() => {
    if (loginNeeded.value || outage.value !== null) return
    const stop = new AbortController()
    void start(stop.signal)
    return () => stop.abort()
  }, [loginNeeded.value, outage.value === null])
  useEffect(arrive, [route.value, resources.value, language.value])
  useKeys([
    { keys: [jumpKey, ':'], label: t('keys.jump'), run: () => canJump() && openJump() },
    { keys: ['?'], label: t('keys.help'), run: () => (helpShown.value = true) },
    { keys: ['g'], label: t('keys.overview'), run: () => go({ page: 'overview', query: { ns: namespaceShown() } }) },
  ])
  return (
    <div class={classes()}>
      <a class="skip" href="#main">
        {t('app.skip')}
      </a>
      <Bar />
      <OutageBanner />
      <Parts of={atTop} />
      <main id="main" tabIndex={-1}>
        <Content />
      </main>
      <footer class="bottom">
        <Parts of={atBottom} />
      </footer>
      <Announcer />
      {helpShown.value && <Help />}
      {jumpShown.value && resources.value.size > 0 && !loginNeeded.value && <Slot of={jump} />}
      {loginNeeded.value && <Login />}
    </div>
  )
}

/** classes says by colours what is shown: the past, a fork, or what was there when the server last answered. */
function classes(): string {
  return ['app', at.value !== null && 'past', base.fork !== '' && 'forked', outage.value !== null && 'offline'].filter(Boolean).join(' ')
}

function Content() {
  const [fault, clear] = useErrorBoundary()
  useEffect(clear, [route.value])
  if (fault) {
    return (
      <p class="notice bad" role="alert">
        {t('load.fault', { message: String(fault) })}{' '}
        <button type="button" onClick={() => location.reload()}>
          {t('outage.reload')}
        </button>
      </p>
    )
  }
  if (failed.value?.code === 403 && !loginNeeded.value) return <Denied />
  if (failed.value && resources.value.size === 0 && !loginNeeded.value) {
    return (
      <p class="notice bad" role="alert">
        {t('load.refused', { message: failed.value.message })}{' '}
        <button type="button" onClick={() => void start()}>
          {t('load.again')}
        </button>
      </p>
    )
  }
  if (resources.value.size === 0) return <p class="notice">{t('load.loading')}</p>
  return <Main />
}
