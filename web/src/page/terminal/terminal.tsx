import { FitAddon } from '@xterm/addon-fit'
import { Terminal as Screen } from '@xterm/xterm'
import { useEffect, useRef, useState } from 'preact/hooks'
import { hindrance, useHindrance } from '../../act/able'
import { accessTo, may } from '../../act/may'
import { objectPath } from '../../api/resource'
import { t } from '../../i18n'
import { at, route, setQuery } from '../../route'
import { containersOf, type Pod } from '../log/container'
import type { TabProps } from '../object/tabprops'
import type { Ended } from './channel'
import { Session } from './session'
import { withSheets } from './styles'
import '@xterm/xterm/css/xterm.css'
import './terminal.css'

/** Terminal runs a shell, or another command, in one of a Pod's containers. */
export function Terminal({ resource, object }: TabProps) {
  const pod = object as Pod
  const running = containersOf(pod).filter((c) => isRunning(pod, c.name))
  const { c: wanted = '', command = 'sh' } = route.value.query
  const container = running.find((one) => one.name === wanted)?.name ?? running[0]?.name
  const [text, setText] = useState(command)
  const [turn, setTurn] = useState(0)
  const needs = [accessTo('create', resource, pod.metadata.namespace, 'exec')]
  useHindrance(needs)
  if (at.value !== null) return <p class="notice">{t('terminal.past')}</p>
  if (container === undefined) return <p class="notice">{t('terminal.none')}</p>
  const known = may(needs)
  if (known === false) return <p class="notice warn">{hindrance(needs)}</p>
  if (known === undefined) return <p class="notice">{t('terminal.opening')}</p>
  const path = objectPath(resource, pod.metadata.namespace ?? '', pod.metadata.name, 'exec')
  return (
    <section class="terminal" aria-label={t('tab.terminal')}>
      <form
        class="terminal-tools"
        onSubmit={(e) => {
          e.preventDefault()
          setQuery({ command: text === 'sh' ? '' : text })
          setTurn(turn + 1)
        }}
      >
        <label>
          <span class="unseen">{t('log.container')}</span>
          <select value={container} onChange={(e) => setQuery({ c: e.currentTarget.value })}>
            {running.map((one) => (
              <option key={one.name}>{one.name}</option>
            ))}
          </select>
        </label>
        <input value={text} aria-label={t('terminal.command')} onInput={(e) => setText(e.currentTarget.value)} spellcheck={false} />
        <button type="submit">{t('terminal.run')}</button>
      </form>
      <Running key={`${pod.metadata.uid} ${container} ${command} ${turn}`} path={path} container={container} command={command} />
    </section>
  )
}

function isRunning(pod: Pod, name: string): boolean {
  const all = [...(pod.status?.initContainerStatuses ?? []), ...(pod.status?.containerStatuses ?? [])]
  return all.some((s) => s.name === name && s.state?.running !== undefined)
}

/** Running is one session. */
function Running({ path, container, command }: { path: string; container: string; command: string }) {
  const box = useRef<HTMLDivElement>(null)
  const [session, setSession] = useState<Session | null>(null)
  useEffect(() => {
    if (box.current === null) return
    const screen = new Screen({ cursorBlink: true, fontFamily: 'ui-monospace, monospace', fontSize: 13, screenReaderMode: true })
    const fit = new FitAddon()
    screen.loadAddon(fit)
    const place = box.current
    withSheets(() => screen.open(place))
    const words = command.split(' ').filter((word) => word !== '')
    const one = new Session(path, { container }, words, (output) => screen.write(output))
    const opened = one.phase.subscribe(({ is }) => {
      if (is !== 'open') return
      fit.fit()
      one.resize(screen.cols, screen.rows)
      screen.focus()
    })
    screen.onData((typed) => one.type(typed))
    screen.onResize(({ cols, rows }) => one.resize(cols, rows))
    const resized = new ResizeObserver(() => fit.fit())
    resized.observe(place)
    setSession(one)
    return () => {
      resized.disconnect()
      opened()
      one.close()
      screen.dispose()
    }
  }, [])
  const phase = session?.phase.value
  return (
    <>
      <p class="terminal-state" role="status">
        {phase?.is === 'open' && t('terminal.open', { name: container })}
        {phase?.is === 'opening' && t('terminal.opening')}
        {phase?.is === 'ended' && <span class={isGood(phase.end) ? '' : 'bad'}>{said(phase.end)}</span>}
      </p>
      <div ref={box} class="terminal-screen" />
    </>
  )
}

const isGood = (end: Ended): boolean => 'code' in end && end.code === 0

function said(end: Ended): string {
  if ('code' in end) return t('terminal.ended', { code: end.code })
  return end.why === '' ? t('terminal.lost') : end.why
}
