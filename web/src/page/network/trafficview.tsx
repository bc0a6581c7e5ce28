import { useEffect, useState } from 'preact/hooks'
import { pause, sleep } from '../../api/feed'
import { ApiError, getJSON } from '../../api/http'
import { formatNumber, t } from '../../i18n'
import { at, objectHref } from '../../route'
import { Trouble } from '../../ui/trouble'
import type { TabProps } from '../object/tabprops'
import { type End, type Item, outcomes, piecesOf, sumOf, type Traffic, totalOf } from './traffic'
import './network.css'

/** again is how often the server is asked, in milliseconds. */
const again = 3_000

/**
 * useTraffic asks for the requests to a Service, or to and from a Pod, repeatedly while the page is
 * visible.
 */
function useTraffic({ resource, object }: TabProps, wanted: boolean): { traffic: Traffic | null; error: ApiError | null } {
  const [found, setFound] = useState<{ traffic: Traffic | null; error: ApiError | null }>({ traffic: null, error: null })
  const { namespace = '', name } = object.metadata
  const of = resource.kind === 'Pod' ? 'pod' : 'service'
  useEffect(() => {
    if (!wanted) return
    const stop = new AbortController()
    const { signal } = stop
    const ask = async () => {
      const traffic = await getJSON<Traffic>('/rowlock/v1/traffic', { query: { namespace, [of]: name }, signal })
      if (!signal.aborted) setFound({ traffic, error: null })
    }
    const keep = async () => {
      for (let failures = 0; !signal.aborted; ) {
        try {
          if (!document.hidden) await ask()
          failures = 0
          await sleep(again, signal)
        } catch (e) {
          if (signal.aborted) return
          const error = e instanceof ApiError ? e : new ApiError({ message: String(e) }, 0)
          setFound((before) => ({ ...before, error }))
          await pause(failures++, signal, error.code)
        }
      }
    }
    void keep()
    return () => stop.abort()
  }, [namespace, name, of, wanted])
  return found
}

/**
 * TrafficView shows the requests of the last minutes of cluster time by caller and callee, with
 * their outcomes.
 */
export function TrafficView(p: TabProps) {
  const now = at.value === null
  const { traffic, error } = useTraffic(p, now)
  return (
    <section aria-labelledby="traffic">
      <h2 id="traffic">{t('net.traffic')}</h2>
      {!now && <p class="notice">{t('net.pastTraffic')}</p>}
      {now && <Trouble of={{ phase: traffic === null ? 'loading' : 'live', error, remaining: 0 }} />}
      {now && traffic !== null && (traffic.minutes.length === 0 ? <p class="notice">{t('net.quiet')}</p> : <Seen traffic={traffic} />)}
    </section>
  )
}

function Seen({ traffic }: { traffic: Traffic }) {
  const { width, pieces } = piecesOf(traffic)
  const sum = sumOf(traffic.minutes)
  return (
    <>
      <figure class="traffic">
        <svg viewBox={`0 0 ${width} 1`} preserveAspectRatio="none" width="100%" height="60" aria-hidden="true">
          {pieces.map((b) => (
            <rect
              key={`${b.x} ${b.outcome}`}
              class={b.outcome}
              x={b.x + 0.06}
              y={1 - b.y - b.height}
              width={0.88}
              height={Math.max(b.height, 0.03)}
            />
          ))}
        </svg>
        <figcaption>
          {t('net.last', { n: totalOf(sum) })}{' '}
          {outcomes.map((o) => (
            <span key={o} class="outcome">
              <i class={o} /> {t(`net.${o}`)} <b>{formatNumber(sum[o])}</b>
            </span>
          ))}
        </figcaption>
      </figure>
      <div class="scroll">
        <table>
          <thead>
            <tr>
              <th scope="col">{t('net.from')}</th>
              <th scope="col">{t('net.to')}</th>
              {outcomes.map((o) => (
                <th key={o} scope="col" class="number">
                  {t(`net.${o}`)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {traffic.items.map((i) => (
              <tr key={keyOf(i)}>
                <th scope="row">
                  <PodName of={i.caller} />
                </th>
                <td>
                  <Target of={i} />
                </td>
                {outcomes.map((o) => (
                  <td key={o} class={i[o] > 0 ? `number ${o}` : 'number faint'}>
                    {formatNumber(i[o])}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  )
}

const keyOf = (i: Item): string => [i.caller, i.service, i.callee].map((e) => (e ? `${e.namespace}/${e.name}` : '')).join(' ')

function PodName({ of }: { of: End | undefined }) {
  if (!of) return <span class="faint">{t('net.hidden')}</span>
  return <a href={objectHref('pods', of.namespace, of.name)}>{of.name}</a>
}

/** Target is the called Pod, and the Service used. */
function Target({ of: i }: { of: Item }) {
  return (
    <>
      {i.callee ? <PodName of={i.callee} /> : <span class="faint">{t('net.noPod')}</span>}
      {i.service && (
        <small>
          {' '}
          ← <a href={objectHref('services', i.service.namespace, i.service.name, 'network')}>{i.service.name}</a>
        </small>
      )}
    </>
  )
}
