import type { ComponentChildren } from 'preact'
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { ApiError } from '../../api/http'
import { resources } from '../../api/resource'
import { moment } from '../../clock/clock'
import { t } from '../../i18n'
import { at, route, setQuery } from '../../route'
import { saveAs } from '../../ui/download'
import { useKeys } from '../../ui/keys'
import { unreadOf } from '../../ui/unread'
import { type Container, containersOf, type Pod } from './container'
import { Lines } from './follow'
import type { Least } from './level'
import { type Names, Text, textOf } from './text'
import '../../style/log.css'

/** Source is a container of a Pod whose log is read. */
export interface Source extends Container {
  readonly pod: string
  readonly uid: string
  readonly namespace: string
}

/** sourcesOf returns the containers of Pods, in the order of the Pods. */
export const sourcesOf = (pods: readonly Pod[]): Source[] =>
  pods.flatMap((p) =>
    containersOf(p).map((c) => ({ ...c, pod: p.metadata.name, uid: p.metadata.uid, namespace: p.metadata.namespace ?? '' })),
  )

/**
 * View shows the logs of Pods as one, merged by cluster time. `of` identifies their owner;
 * `several` says that there may be many Pods.
 */
export function View({
  of,
  name,
  pods,
  several,
  children,
}: {
  of: string
  name: string
  pods: readonly Pod[]
  several: boolean
  children?: ComponentChildren
}) {
  const all = sourcesOf(pods)
  const containers = new Map(all.map((s) => [s.name, s]))
  const { c: wanted = '', previous = '', q = '', level = '', times = '', wrap = '1' } = route.value.query
  const least: Least = level === 'warn' || level === 'error' ? level : ''
  const shown = all.filter((one) => wanted === '' || one.name === wanted)
  const [following, setFollowing] = useState(true)
  const search = useRef<HTMLInputElement>(null)
  useKeys([{ keys: ['/'], label: t('log.search'), run: () => search.current?.focus() }])
  const lines = useLines(of, shown, wanted, previous !== '', following, several)
  const [only] = containers.keys()
  return (
    <section class="log" aria-label={t('tab.log')}>
      <div class="log-tools">
        <label>
          <span class="unseen">{t('log.container')}</span>
          <select value={containers.size === 1 ? only : wanted} onChange={(e) => setQuery({ c: e.currentTarget.value })}>
            {containers.size !== 1 && <option value="">{t('log.all')}</option>}
            {[...containers.values()].map((one) => (
              <option key={one.name} value={one.name}>
                {one.init ? t('log.init', { name: one.name }) : one.name}
              </option>
            ))}
          </select>
        </label>
        <label>
          <span class="unseen">{t('log.level')}</span>
          <select value={least} onChange={(e) => setQuery({ level: e.currentTarget.value })}>
            <option value="">{t('log.levelAll')}</option>
            <option value="warn">{t('log.levelWarn')}</option>
            <option value="error">{t('log.levelError')}</option>
          </select>
        </label>
        <input
          ref={search}
          type="search"
          placeholder={t('log.search')}
          aria-label={t('log.search')}
          value={q}
          onInput={(e) => setQuery({ q: e.currentTarget.value })}
        />
        <Toggle label={t('log.follow')} on={following} set={setFollowing} disabled={at.value !== null} />
        <Toggle
          label={t('log.previous')}
          on={previous !== ''}
          set={(on) => setQuery({ previous: on ? '1' : '' })}
          disabled={!shown.some((one) => one.previous)}
        />
        <Toggle label={t('log.times')} on={times !== ''} set={(on) => setQuery({ times: on ? '1' : '' })} />
        <Toggle label={t('log.wrap')} on={wrap !== '0'} set={(on) => setQuery({ wrap: on ? '' : '0' })} />
        <button type="button" onClick={() => saveAs(new Blob([textOf(lines, q, least)], { type: 'text/plain' }), `${name}.log`)}>
          {t('log.download')}
        </button>
      </div>
      {children}
      {shown
        .filter((one) => one.waiting !== '')
        .map((one) => (
          <p key={one.uid + one.name} class="notice">
            {t('log.waiting', { name: several ? `${one.pod}/${one.name}` : one.name, reason: one.waiting })}
          </p>
        ))}
      <Text
        lines={lines}
        search={q}
        least={least}
        times={times !== ''}
        wrap={wrap !== '0'}
        names={namesFor(several, wanted === '' ? containers.size : 1)}
        stick={following}
      />
    </section>
  )
}

/** namesFor returns which names precede each line to show its source. */
const namesFor = (several: boolean, containers: number): Names =>
  several ? (containers > 1 ? 'both' : 'pod') : containers > 1 ? 'container' : ''

function Toggle(p: { label: string; on: boolean; set: (on: boolean) => void; disabled?: boolean }) {
  return (
    <label class="toggle">
      <input type="checkbox" checked={p.on} disabled={p.disabled ?? false} onChange={(e) => p.set(e.currentTarget.checked)} />
      {p.label}
    </label>
  )
}

/**
 * useLines reads the logs of containers, continues with a container's next run after a restart, and
 * adds new Pods.
 */
function useLines(of: string, sources: readonly Source[], wanted: string, previous: boolean, follow: boolean, several: boolean): Lines {
  const pods = resources.value.get('pods')
  const until = at.value === null || moment.value === null ? '' : `${new Date(moment.value).toISOString().slice(0, -1)}999999Z`
  const started = sources.filter((c) => (previous ? c.previous : c.runs > 0))
  const which = `${of} ${wanted} ${previous} ${until}`
  const lines = useMemo(() => new Lines(), [which])
  const runs = useRef(new Map<string, number>())
  useEffect(() => {
    runs.current = new Map()
    return () => lines.close()
  }, [lines])
  useEffect(() => {
    for (const c of started) {
      const key = `${c.uid} ${c.name}`
      const before = runs.current.get(key)
      if (!pods || before === c.runs) continue
      runs.current.set(key, c.runs)
      if (before !== undefined && previous) continue
      const from = { pod: c.pod, container: c.name }
      if (before !== undefined) lines.remark(from, t('log.restarted', { name: several ? `${c.pod}/${c.name}` : c.name }))
      const asked = { pods, namespace: c.namespace, ...from, previous, follow: follow && !previous && until === '', until }
      lines.read(asked).catch((e: unknown) => lines.remark(from, wordsFor(e)))
    }
  }, [lines, started.map((c) => `${c.uid} ${c.name} ${c.runs}`).join(), follow])
  return lines
}

/** wordsFor says why a log cannot be read. Logs are deleted with their Pod. */
function wordsFor(e: unknown): string {
  if (e instanceof ApiError && e.code === 404) return t('log.gone')
  return unreadOf(e)
}
